import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { loadLegalTexts } from './load-texts.ts'
import { findCurrent, LEGAL_DOCUMENTS, pathOf } from './rules/documents.ts'

const testContext = makeTestContext()
const open = (path: string, headers: Record<string, string> = {}) =>
  testContext.call('GET', path, { headers })
const BROWSER = { accept: 'text/html' }

test.each(LEGAL_DOCUMENTS)('/%s is a page in the language of the visitor', async (document) => {
  for (const [path, headers, locale] of [
    [`/${document}`, {}, 'en'],
    [`/${document}/`, { 'accept-language': 'uk-UA,en;q=0.5' }, 'uk'],
    [`/${document}`, { cookie: 'language=ru', 'accept-language': 'uk' }, 'ru'],
    [`/${document}?lang=uk`, { cookie: 'language=ru' }, 'uk'],
  ] as const) {
    const { status, text, headers: answered } = await open(path, headers)
    expect([status, answered.get('content-language')]).toEqual([200, locale])
    expect(text).toContain(`<html lang="${locale}"`)
    expect(answered.get('content-type')).toContain('text/html')
    expect(answered.get('content-security-policy')).toContain("script-src 'self';")
    expect(answered.get('vary')).toMatch(/Accept-Language, Cookie/)
  }
})

test('each version stays at an address of its own, with the file whose hash is recorded', async () => {
  const text = findCurrent(await loadLegalTexts(testContext.deps), 'terms', 'uk')
  const page = await open(pathOf(text), { cookie: 'language=ru' })
  expect([page.status, page.headers.get('content-language')]).toEqual([200, 'uk'])
  expect(page.headers.get('x-robots-tag')).toBe('noindex')
  const file = await testContext.open('GET', `${pathOf(text)}.md`)
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  expect(Buffer.from(hash).toString('hex')).toBe(text.sha256)
  expect(text.sha256.startsWith(text.version)).toBe(true)
})

test('a page has the theme that the visitor chose', async () => {
  expect((await open('/privacy', { cookie: 'theme=dark' })).text).toContain('data-theme="dark"')
  expect((await open('/privacy')).text).not.toContain('data-theme')
})

test('an unknown version is a page that does not exist', async () => {
  expect((await open('/terms/0123456789ab', BROWSER)).status).toBe(404)
  expect((await open('/terms/0123456789ab')).code).toBe('not_found')
  expect((await open('/terms/%00', BROWSER)).status).toBe(404)
  expect((await testContext.call('POST', '/terms')).status).toBe(404)
})

test.each([
  ['no file', 404, ''],
  ['another page', 200, '<!doctype html>'],
])(
  'without the built documents (%s) it is a 503, as for a purchase, which stores them',
  async (_name, status, body) => {
    const ASSETS = { fetch: async () => new Response(body, { status }) } as unknown as Fetcher
    const bare = makeTestContext({ ASSETS })
    const answer = await bare.call('GET', '/terms')
    expect([answer.status, answer.code]).toEqual([503, 'settings_invalid'])
    await expect(loadLegalTexts(bare.deps)).rejects.toMatchObject({ code: 'settings_invalid' })
  },
)
