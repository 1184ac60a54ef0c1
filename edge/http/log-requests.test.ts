import { createMessageBatch } from 'cloudflare:test'
import { describe, expect, test, vi } from 'vitest'
import { eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeKey, register, submit } from '../../test/edge/worker/people.ts'
import { makeRecordingContext, query, type RecordingContext } from '../../test/edge/worker/records.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { openDatabase } from '../platform/database/client.ts'
import { consumeBatch } from '../queue.ts'

const logs = async ({ call }: Pick<RecordingContext, 'call'>, token: string, queried = '') =>
  (await call('GET', `/api/v1/stats/logs?${queried}`, { token })).json

describe('a request', () => {
  test('is logged for its account with its status', async () => {
    const testContext = await makeRecordingContext()
    const person = await register(testContext)
    const { id, key } = await makeKey(testContext, person)
    const headers = { 'cf-connecting-ip': freshAddress() }
    const ping = await testContext.call('GET', '/api/v1/me/ping', { key, headers })
    await testContext.call('GET', '/api/v1/jobs/none', { token: person.token, headers })
    await testContext.deliver()
    const rows = await logs(testContext, person.token)
    expect(rows).toEqual([
      expect.objectContaining({ method: 'GET', path: '/api/v1/jobs/none', status: 404, key_id: null }),
      {
        id: expect.any(Number),
        created_at: new Date(testContext.clock.now).toISOString(),
        request_id: ping.headers.get('x-request-id'),
        method: 'GET',
        path: '/api/v1/me/ping',
        status: 200,
        duration_ms: 0,
        source: 'api',
        key_id: id,
        ip_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      expect.objectContaining({ method: 'POST', path: '/api/v1/tokens', status: 201, source: 'web' }),
    ])
    expect(rows[0]?.ip_hash).toBe(rows[1]?.ip_hash)
    expect(await logs(testContext, person.token, 'limit=1')).toEqual([rows[0]])
  })

  test('is visible to its account, and to administrators who request all accounts', async () => {
    const testContext = await makeRecordingContext()
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const administrator = await registerAdministrator(testContext)
    const path = `/api/v1/jobs/${crypto.randomUUID()}`
    await testContext.call('GET', path, { token: person.token })
    await testContext.deliver()
    expect(await logs(testContext, stranger.token, 'mine=false')).toEqual([])
    const pathsOf = (rows: { path: string }[]) => rows.map((row) => row.path)
    expect(pathsOf(await logs(testContext, administrator.token))).not.toContain(path)
    expect(pathsOf(await logs(testContext, administrator.token, 'mine=false&limit=500'))).toContain(path)
  })

  test('that was refused is logged for its caller too', async () => {
    const testContext = await makeRecordingContext({ requests_per_minute_free: 1 })
    const person = await register(testContext)
    for (const _ of [1, 2]) await testContext.call('GET', '/api/v1/me/ping', { token: person.token })
    await testContext.call('GET', '/api/v1/admin/audit', { token: person.token })
    await testContext.deliver()
    const rows = await query(
      testContext,
      'SELECT path, status FROM request_logs WHERE account_id = ? ORDER BY id',
      person.id,
    )
    expect(rows.map(({ status }) => status)).toEqual([200, 429, 429])
  })

  test('without an account is logged without ids, secrets or addresses', async () => {
    const testContext = await makeRecordingContext()
    const [address, id] = [freshAddress(), crypto.randomUUID()]
    const headers = { 'cf-connecting-ip': address }
    const job = await testContext.call('GET', `/api/v1/jobs/${id}`, { headers })
    const lost = await testContext.call('GET', '/api/v1/nowhere?token=secret', { headers })
    await testContext.deliver()
    const requests = [job, lost].map(({ headers }) => headers.get('x-request-id'))
    const rows = await query(
      testContext,
      'SELECT account_id, path, ip_hash FROM request_logs WHERE request_id IN (?, ?) ORDER BY id',
      ...requests,
    )
    expect(rows).toMatchObject([
      { account_id: null, path: '/api/v1/jobs/:job_id' },
      { account_id: null, path: '/api/v1/nowhere' },
    ])
    for (const secret of [address, id, 'secret']) expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test.each<[string, string, string, number]>([
    ['an unknown path', 'GET', '/api/v1/nowhere', 404],
    ['a payment webhook without a signature', 'POST', '/api/v1/billing/callbacks/sandbox_card', 401],
    ['an unknown payment provider', 'POST', '/api/v1/billing/callbacks/nowhere', 404],
    ['an unknown messenger bot', 'POST', '/api/v1/tg/webhook/999', 404],
  ])(
    'to %s counts on the anonymous limit, and a flood leaves ten rows',
    async (_what, method, path, status) => {
      const testContext = await makeRecordingContext({ requests_per_minute_anonymous: 20 })
      const headers = { 'cf-connecting-ip': freshAddress() }
      const ask = () =>
        testContext.call(method, path, { headers, ...(method === 'POST' ? { raw: '{}' } : {}) })
      const answers = await Promise.all(Array.from({ length: 60 }, ask))
      const statuses = answers.map((answer) => answer.status)
      expect(statuses.filter((found) => found === status)).toHaveLength(20)
      expect(statuses.filter((found) => found === 429)).toHaveLength(40)
      await testContext.deliver()
      const ids = answers.map((answer) => answer.headers.get('x-request-id'))
      const rows = await query(
        testContext,
        `SELECT 1 FROM request_logs WHERE request_id IN (${ids.map(() => '?')})`,
        ...ids,
      )
      expect(rows).toHaveLength(10)
    },
  )

  test('of one address has the same hash all day and another one the next day', async () => {
    const testContext = await makeRecordingContext()
    const person = await register(testContext)
    const [one, other] = [freshAddress(), freshAddress()]
    const ask = (address: string) =>
      testContext.call('GET', '/api/v1/me/ping', {
        token: person.token,
        headers: { 'cf-connecting-ip': address },
      })
    for (const address of [one, one, other]) await ask(address)
    await testContext.deliver()
    testContext.clock.now += 24 * 60 * 60 * 1000
    await ask(one)
    await testContext.deliver()
    const [next, third, second, first] = (await logs(testContext, person.token)).map(({ ip_hash }) => ip_hash)
    expect(second).toBe(first)
    expect(new Set([first, third, next]).size).toBe(3)
  })

  test('to health checks, files or analytics is not logged', async () => {
    const testContext = await makeRecordingContext()
    for (const path of ['/api/health', '/files/uploads/none', '/openapi.json'])
      await testContext.call('GET', path)
    await testContext.call('POST', '/api/v1/analytics/collect', { raw: 'nothing' })
    await testContext.settled()
    expect(testContext.sent).toEqual([])
  })
})

describe('the request log', () => {
  test('batches many requests per message and stores a redelivered message once', async () => {
    const testContext = await makeRecordingContext()
    const person = await register(testContext)
    await Promise.all(
      Array.from({ length: 30 }, () => testContext.call('GET', '/api/v1/auth/me', { token: person.token })),
    )
    await testContext.settled()
    // On a busy machine, some requests end after the first message.
    expect(testContext.sent.length).toBeLessThan(10)
    const again = structuredClone(testContext.sent)
    await testContext.deliver()
    testContext.sent.push(...again)
    await testContext.deliver()
    const [found] = await query(
      testContext,
      'SELECT count(*) AS total FROM request_logs WHERE account_id = ?',
      person.id,
    )
    expect(found?.total).toBe(30)
  })

  test('never affects a response when the queue fails', async () => {
    const testContext = makeTestContext({
      RECORDS: {
        send: async () => {
          throw new Error('the queue is down')
        },
      },
    })
    const person = await register(testContext)
    await submit(testContext, person)
    await testContext.settled()
    expect((await testContext.call('GET', '/api/v1/jobs', { token: person.token })).json).toHaveLength(1)
    const bare = makeTestContext({ RECORDS: {} })
    expect((await bare.call('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(200)
    await bare.settled()
  })

  test('is retried from the queue when the database fails; unreadable messages are dropped', async () => {
    const testContext = await makeRecordingContext()
    const person = await register(testContext)
    await testContext.call('GET', '/api/v1/auth/me', { token: person.token })
    await eventually('a message', async () => testContext.sent.length > 0)
    const messages = [...testContext.sent, { kind: 'nonsense' }].map((body, index) => ({
      id: `message${index}`,
      timestamp: Date.now(),
      attempts: 1,
      body,
    }))
    const consume = async (deps: typeof testContext.deps) => {
      const batch = createMessageBatch('media-records', messages)
      const retries = batch.messages.map((message) => vi.spyOn(message, 'retry'))
      await consumeBatch(deps, batch)
      return retries.flatMap(({ mock }) => mock.calls).length
    }
    const down = { ...testContext.deps, db: openDatabase('http://127.0.0.1:9', undefined) }
    expect(await consume(down)).toBe(2)
    expect(await consume(testContext.deps)).toBe(0)
    expect(await logs(testContext, person.token)).toHaveLength(1)
  })
})
