import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext

async function ping(key: string): Promise<number> {
  return (await call('GET', '/api/v1/me/ping', { key })).status
}

describe('an API key', () => {
  test('shows its plaintext once and is stored as a hash', async () => {
    const { token } = await register(testContext)
    const created = await call('POST', '/api/v1/tokens', { token, body: { name: 'build', max_per_day: 7 } })
    expect(created.status).toBe(201)
    expect(created.json.plaintext).toMatch(/^mk_[\w-]{32}$/)
    const { plaintext, ...shown } = created.json
    expect(shown).toMatchObject({
      name: 'build',
      max_per_day: 7,
      enabled: true,
      revoked: false,
      used_today: 0,
    })
    const list = await call('GET', '/api/v1/tokens', { token })
    expect(list.json).toEqual([shown])
    const stored = await testContext.deps.db.$client.execute('SELECT * FROM api_keys')
    expect(JSON.stringify(stored.rows)).not.toContain(plaintext)
  })

  test('is shown again when its request repeats an Idempotency-Key, as documented', async () => {
    const { token } = await register(testContext)
    const create = () =>
      call('POST', '/api/v1/tokens', { token, body: {}, headers: { 'idempotency-key': 'again' } })
    const [first, again] = [await create(), await create()]
    expect([again.status, again.json.plaintext]).toEqual([201, first.json.plaintext])
    const { paths } = JSON.parse((await call('GET', '/openapi.json')).text)
    expect(paths['/api/v1/tokens'].post.description).toMatch(
      /Idempotency-Key.*24 hours.*returns the plaintext again/,
    )
  })

  test('is refused while paused, works again when resumed, and is gone after deletion', async () => {
    const person = await register(testContext)
    const { token } = person
    const { id, key } = await makeKey(testContext, person)
    expect(await ping(key)).toBe(200)
    const paused = await call('POST', `/api/v1/tokens/${id}/toggle`, { token })
    expect([paused.status, paused.json.enabled]).toEqual([200, false])
    expect(await ping(key)).toBe(401)
    const resumed = await call('POST', `/api/v1/tokens/${id}/toggle`, { token })
    expect(resumed.json.enabled).toBe(true)
    expect(await ping(key)).toBe(200)
    const deleted = await call('DELETE', `/api/v1/tokens/${id}`, { token })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect(await ping(key)).toBe(401)
    expect((await call('DELETE', `/api/v1/tokens/${id}`, { token })).status).toBe(404)
  })

  test('revoked by an administrator can neither be enabled nor deleted by its owner', async () => {
    const person = await register(testContext)
    const { id, key } = await makeKey(testContext, person)
    const args = [Date.now(), id]
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE api_keys SET revoked_at = ? WHERE id = ?',
      args,
    })
    expect(await ping(key)).toBe(401)
    for (const [method, path] of [
      ['POST', `/api/v1/tokens/${id}/toggle`],
      ['DELETE', `/api/v1/tokens/${id}`],
    ] as const) {
      expect((await call(method, path, { token: person.token })).status).toBe(403)
    }
    const [shown] = (await call('GET', '/api/v1/tokens', { token: person.token })).json
    expect(shown).toMatchObject({ revoked: true, enabled: false })
  })

  test('of another account is treated like an unknown one', async () => {
    const owner = await register(testContext)
    const { id, key } = await makeKey(testContext, owner)
    const { token } = await register(testContext)
    for (const other of [id, 999_999_999, Number.MAX_SAFE_INTEGER]) {
      const toggled = await call('POST', `/api/v1/tokens/${other}/toggle`, { token })
      const deleted = await call('DELETE', `/api/v1/tokens/${other}`, { token })
      expect([toggled.status, deleted.status]).toEqual([404, 404])
    }
    expect(await ping(key)).toBe(200)
    expect((await call('GET', '/api/v1/tokens', { token })).json).toEqual([])
  })

  test.each(['0', '-1', '1.5', 'x', '9'.repeat(30), '%00', '1e3', '0x10', '%205', '5.0', '05', '+5'])(
    'cannot have the id %s',
    async (id) => {
      const { token } = await register(testContext)
      const answer = await call('POST', `/api/v1/tokens/${id}/toggle`, { token })
      expect(answer.status).toBe(422)
      expect(answer.faults[0]?.loc).toEqual(['path', 'token_id'])
      expect(answer.text).not.toMatch(/NaN/)
    },
  )

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ max_per_day: -1 }, 'max_per_day'],
    [{ max_per_day: 1.5 }, 'max_per_day'],
    [{ max_per_day: '5' }, 'max_per_day'],
    [{ max_per_day: 1e300 }, 'max_per_day'],
  ])('cannot be created from %j', async (body, field) => {
    const { token } = await register(testContext)
    const answer = await call('POST', '/api/v1/tokens', { token, body })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
    expect((await call('GET', '/api/v1/tokens', { token })).json).toEqual([])
  })

  test('cannot be created when the account has a hundred', async () => {
    const person = await register(testContext)
    await testContext.deps.db.$client.batch(
      Array.from({ length: 100 }, () => ({
        sql: 'INSERT INTO api_keys (account_id, prefix, hash, enabled, max_per_day, created_at) VALUES (?, ?, ?, 1, 0, 0)',
        args: [person.id, 'mk_', crypto.randomUUID()],
      })),
      'write',
    )
    const answer = await call('POST', '/api/v1/tokens', { token: person.token, body: {} })
    expect(answer.status).toBe(409)
  })
})
