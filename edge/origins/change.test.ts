import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext
const PATH = '/api/v1/me/origins'

describe('the list of origins', () => {
  test('is empty at first, is replaced as a whole, and belongs to one account', async () => {
    const { token } = await register(testContext)
    expect((await call('GET', PATH, { token })).json).toEqual({ origins: [] })
    const origins = ['https://b.example.com', 'http://localhost:3000', 'https://b.example.com']
    const sorted = ['http://localhost:3000', 'https://b.example.com']
    const changed = await call('PUT', PATH, { token, body: { origins } })
    expect([changed.status, changed.json]).toEqual([200, { origins: sorted }])
    expect((await call('GET', PATH, { token })).json).toEqual({ origins: sorted })
    const other = await register(testContext)
    expect((await call('GET', PATH, { token: other.token })).json).toEqual({ origins: [] })
    const replaced = { origins: ['https://xn--bcher-kva.example:8443', 'http://[2001:db8::1]'] }
    await call('PUT', PATH, { token: other.token, body: replaced })
    expect((await call('GET', PATH, { token })).json).toEqual({ origins: sorted })
    await call('PUT', PATH, { token, body: { origins: [] } })
    expect((await call('GET', PATH, { token })).json).toEqual({ origins: [] })
  })

  test('needs a session', async () => {
    const { key } = await makeKey(testContext, await register(testContext))
    for (const method of ['GET', 'PUT'] as const) {
      expect((await call(method, PATH, { key })).status).toBe(401)
      expect((await call(method, PATH)).status).toBe(401)
    }
  })

  test.each([
    '*',
    'null',
    '',
    'https://*.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://App.example.com',
    'https://app.example.com:443',
    'http://app.example.com:80',
    'https://user@app.example.com',
    'https://app.example.com?x',
    ' https://app.example.com',
    'https://bücher.example',
    'https:app.example.com',
    'app.example.com',
    'ftp://app.example.com',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    'javascript:alert(1)',
    `https://${'x'.repeat(300)}`,
    5,
    null,
  ])('does not accept %j', async (origin) => {
    const { token } = await register(testContext)
    const answer = await call('PUT', PATH, { token, body: { origins: ['https://a.example.com', origin] } })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'origins', 1]])
    expect((await call('GET', PATH, { token })).json).toEqual({ origins: [] })
  })

  test.each([[{}], [{ origins: '*' }], [{ origins: [], extra: 1 }], [[]]])('refuses %j', async (body) => {
    const { token } = await register(testContext)
    expect((await call('PUT', PATH, { token, body })).status).toBe(422)
  })

  test('has at most 20 entries', async () => {
    const { token } = await register(testContext)
    const origins = Array.from({ length: 21 }, (_, index) => `https://a${index}.example.com`)
    expect((await call('PUT', PATH, { token, body: { origins } })).status).toBe(422)
    expect((await call('PUT', PATH, { token, body: { origins: origins.slice(1) } })).status).toBe(200)
  })
})
