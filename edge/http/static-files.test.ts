import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'

const { call } = makeTestContext()
const UUID = /^[0-9a-f-]{36}$/

test.each(['/icon.svg', '/auth/callback', '/billing/return', '/docs', '/send'])(
  '%s carries a request id like every response',
  async (path) => {
    const answer = await call('GET', path)
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, expect.stringMatching(UUID)])
  },
)

test('pages run and load only files of this service and keep their cache headers', async () => {
  const { headers } = await call('GET', '/auth/callback')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'/,
  )
  expect(headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['GET', '/nothing.css', 404],
  ['POST', '/icon.svg', 404],
  ['GET', '/api/icon.svg', 404],
])('%s %s is not a file', async (method, path, status) => {
  const answer = await call(method, path)
  expect([answer.status, answer.code]).toEqual([status, 'not_found'])
})
