import { describe, expect, test } from 'vitest'
import { answerWithBrowserSecret, readBrowser } from './browser.ts'

const [OWN, PLANTED] = [crypto.randomUUID(), crypto.randomUUID()]
const [HTTPS, HTTP] = ['https://media.example.com/api', 'http://127.0.0.1:8787/api']
const PAGE = { 'sec-fetch-site': 'same-origin' }

const read = (headers: Record<string, string>, url: string) => readBrowser(new Headers(headers), url)

describe('the browser secret cookie', () => {
  test.each([
    ['over HTTPS', HTTPS, /^__Host-idp_browser=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/],
    ['without', HTTP, /^idp_browser=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/],
  ])('is read back as it was written, %s', (_how, url, form) => {
    const written = answerWithBrowserSecret({}, { secret: OWN, lives_seconds: 600 }, url)
    const line = written.headers.get('set-cookie') ?? ''
    expect(line).toMatch(form)
    expect(read({ ...PAGE, cookie: `first=1; ${line.split(';')[0]}; last=2` }, url)).toEqual({ secret: OWN })
  })

  test.each(['idp_browser', '__Secure-idp_browser'])(
    'is not read over HTTPS from %s, which other origins can set',
    (name) => {
      const planted = `${name}=${PLANTED}`
      expect(read({ ...PAGE, cookie: planted }, HTTPS)).toEqual({ secret: null })
      const both = `${planted}; __Host-idp_browser=${OWN}`
      expect(read({ ...PAGE, cookie: both }, HTTPS)).toEqual({ secret: OWN })
    },
  )
})

test.each([
  ['a page', PAGE, { secret: null }],
  [
    'a page in a browser that sends no Sec-Fetch-Site',
    { origin: 'https://media.example.com' },
    { secret: null },
  ],
  ['a program', { 'user-agent': 'curl/8.0', 'sec-fetch-mode': 'cors' }, undefined],
])('%s is recognized by its headers', (_who, headers, browser) => {
  expect(read(headers, HTTPS)).toEqual(browser)
})
