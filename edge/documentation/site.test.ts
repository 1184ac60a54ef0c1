import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { DOCUMENTED_URL } from './documented-url.ts'

const { call, deps } = makeTestContext()

test.each([
  ['/docs', 'text/html'],
  ['/docs/quick-start', 'text/html'],
  ['/docs/quick-start.md', 'text/markdown'],
  ['/docs/operations/image/resize', 'text/html'],
  ['/docs/operations/image/resize.md', 'text/markdown'],
  ['/docs/llms.txt', 'text/plain'],
  ['/llms.txt', 'text/plain'],
])('%s contains the public URL of this service', async (path, type) => {
  const { status, headers, text } = await call('GET', path)
  expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
  expect(text).toContain(`${deps.env.PUBLIC_URL}/`)
  expect(text).not.toContain(DOCUMENTED_URL)
})

test('pages run no inline code', async () => {
  const { headers, text } = await call('GET', '/docs/quick-start')
  expect(headers.get('content-security-policy')).toContain(
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; ",
  )
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style="/)
})

test('an unknown address is a page for browsers and an error for programs', async () => {
  const page = await call('GET', '/docs/nowhere', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')?.split(';')[0]]).toEqual([404, 'text/html'])
  const error = await call('GET', '/docs/nowhere')
  expect([error.status, error.code]).toEqual([404, 'not_found'])
})

test.each(['/docs/%00', '/docs/%20', '/docs/%0a', '/docs/%', '/docs/a%2Fb'])(
  '%s is an unknown address',
  async (path) => {
    const error = await call('GET', path)
    expect([error.status, error.code]).toEqual([404, 'not_found'])
  },
)

test('an unchanged page is not sent again', async () => {
  const { headers } = await call('GET', '/docs/quick-start')
  const again = await call('GET', '/docs/quick-start', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  expect([again.status, again.text]).toEqual([304, ''])
})
