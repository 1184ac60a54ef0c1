import { describe, expect, test } from 'vitest'
import type { TestContext } from '../../test/edge/worker/context.ts'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeKey, type Person, register, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report, started } from '../../test/edge/worker/reports.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { addUpUsage } from './aggregate.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PATHS = ['overview', 'usage', 'usage/services', 'usage/summary', 'logs']

type Event = {
  account: number | null
  at: number
  action: 'submit' | 'done' | 'failed' | 'canceled'
  credits: number
  operation?: string
}

/** Writes usage events the way jobs do. */
function happen({ deps }: TestContext, events: Event[]) {
  return deps.db.$client.batch(
    events.map(({ account, at, action, credits, operation = 'video/trim' }) => ({
      sql: `INSERT INTO usage_events (account_id, source, action, service_slug, operation_key, job_id, credits, created_at)
        VALUES (?, 'web', ?, ?, ?, ?, ?, ?)`,
      args: [account, action, ...operation.split('/'), crypto.randomUUID(), credits, at],
    })),
    'write',
  )
}

const stats = async <Address extends string>({ call }: TestContext, { token }: Person, path: Address) => {
  const answer = await call('GET', `/api/v1/stats/${path}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

/** Creates a test context at a distant date so that the platform's totals contain only the context's events. */
async function makeDistantContext(day: string) {
  const testContext = await makeLimitedContext()
  testContext.clock.now = Date.parse(day)
  return testContext
}

describe('authorization', () => {
  const testContext = makeTestContext()

  test.each(PATHS)('%s accepts only sessions', async (path) => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const address = `/api/v1/stats/${path}`
    expect((await testContext.call('GET', address)).code).toBe('missing_bearer_token')
    expect((await testContext.call('GET', address, { key })).status).toBe(401)
    expect((await testContext.call('GET', address, { token: person.token })).status).toBe(200)
  })

  test.each([
    ['usage?days=0', 'days'],
    ['usage?days=731', 'days'],
    ['usage/services?days=1.5', 'days'],
    ['usage/summary?days=many', 'days'],
    ['usage?mine=perhaps', 'mine'],
    ['logs?limit=0', 'limit'],
    ['logs?limit=501', 'limit'],
  ])('%s is 422', async (path, field) => {
    const { token } = await register(testContext)
    const answer = await testContext.call('GET', `/api/v1/stats/${path}`, { token })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['query', field]])
  })
})

describe('usage of an account', () => {
  test('counts jobs and credits immediately, and alike after aggregation', async () => {
    const testContext = makeTestContext()
    const person = await register(testContext)
    const [one, two, three] = [
      await submit(testContext, person),
      await submit(testContext, person),
      await submit(testContext, person),
    ]
    for (const id of [one, two]) await report(testContext, started(id))
    await report(testContext, finished(one, doneOutcome(one, 125)))
    await report(testContext, finished(two, FAILED))
    await testContext.call('POST', `/api/v1/jobs/${three}/cancel`, { token: person.token })
    const look = async () => ({
      points: await stats(testContext, person, 'usage?days=2'),
      services: await stats(testContext, person, 'usage/services'),
      summary: await stats(testContext, person, 'usage/summary'),
    })
    const before = await look()
    const today = new Date().toISOString().slice(0, 10)
    const sums = { submissions: 3, credits: 4, done: 1, failed: 1 }
    expect(before.points.at(-1)).toEqual({ date: today, ...sums })
    expect(before.points).toHaveLength(2)
    expect(before.points[0]).toMatchObject({ submissions: 0, credits: 0, done: 0, failed: 0 })
    const operation = { service_slug: 'video', operation_key: 'compress' }
    expect(before.services).toEqual([{ ...operation, ...sums, avg_processing_seconds: 125 }])
    expect(before.summary).toEqual({ days: 30, scope: 'own', ...sums, canceled: 1, active_users: 1 })
    await Promise.all([addUpUsage(testContext.deps), addUpUsage(testContext.deps)])
    expect(await look()).toEqual(before)
  })

  test('has a point for each day of the window, oldest first', async () => {
    const testContext = await makeDistantContext('2035-03-02T10:00:00Z')
    const person = await register(testContext)
    const at = testContext.clock.now
    await happen(testContext, [
      { account: person.id, at: at - 3 * DAY_MS, action: 'submit', credits: 2 },
      { account: person.id, at: at - 2 * DAY_MS, action: 'done', credits: 5 },
      { account: person.id, at: at - 800 * DAY_MS, action: 'submit', credits: 2 },
    ])
    const points = await stats(testContext, person, 'usage?days=730')
    expect([points.length, points.at(-1)?.date, points.at(-4)]).toEqual([
      730,
      '2035-03-02',
      { date: '2035-02-27', submissions: 1, credits: 2, done: 0, failed: 0 },
    ])
    const total = (field: 'submissions' | 'credits' | 'done') =>
      points.reduce((sum, point) => sum + point[field], 0)
    expect([total('submissions'), total('credits'), total('done')]).toEqual([1, 7, 1])
    expect(await stats(testContext, person, 'usage?days=3')).toMatchObject([
      { date: '2035-02-28', done: 1, credits: 5 },
      { submissions: 0 },
      { submissions: 0 },
    ])
  })

  test('is zero without activity', async () => {
    const testContext = makeTestContext()
    const person = await register(testContext)
    expect(await stats(testContext, person, 'usage/services')).toEqual([])
    expect(await stats(testContext, person, 'usage/summary?days=7')).toEqual({
      ...{ days: 7, scope: 'own', submissions: 0, credits: 0, done: 0, failed: 0, canceled: 0 },
      active_users: 0,
    })
  })

  test('over two years is read from daily totals, whatever the number of events', async () => {
    const { deps } = makeTestContext()
    const explain = await deps.db.$client.execute(
      'EXPLAIN QUERY PLAN SELECT * FROM usage_days WHERE account_id = 1 AND day >= 1',
    )
    expect(JSON.stringify(explain.rows)).toContain('SEARCH usage_days')
  })
})

describe('usage of the platform', () => {
  test('is for administrators, who get their own with mine=true; anonymous jobs count too', async () => {
    const testContext = await makeDistantContext('2040-06-10T12:00:00Z')
    const administrator = await registerAdministrator(testContext)
    const [one, two] = [await register(testContext), await register(testContext)]
    const at = testContext.clock.now
    await happen(testContext, [
      { account: one.id, at, action: 'submit', credits: 2 },
      { account: one.id, at, action: 'done', credits: 3 },
      { account: two.id, at: at - DAY_MS, action: 'submit', credits: 2, operation: 'image/crop' },
      { account: two.id, at, action: 'failed', credits: -2, operation: 'image/crop' },
      { account: null, at, action: 'submit', credits: 0, operation: 'image/crop' },
      { account: administrator.id, at: at - 2 * DAY_MS, action: 'submit', credits: 2 },
      { account: two.id, at: at - 9 * DAY_MS, action: 'submit', credits: 2 },
    ])
    const look = async () => [
      await stats(testContext, administrator, 'usage/summary?days=2'),
      await stats(testContext, administrator, 'usage/summary?days=3&mine=true'),
      await stats(testContext, administrator, 'usage/services?days=2'),
      await stats(testContext, administrator, 'usage?days=2'),
      await stats(testContext, one, 'usage/summary?days=2&mine=false'),
    ]
    const before = await look()
    expect(before).toEqual([
      {
        ...{ days: 2, scope: 'platform', submissions: 3, credits: 5, done: 1, failed: 1, canceled: 0 },
        active_users: 2,
      },
      {
        ...{ days: 3, scope: 'own', submissions: 1, credits: 2, done: 0, failed: 0, canceled: 0 },
        active_users: 1,
      },
      [
        {
          ...{ service_slug: 'image', operation_key: 'crop', submissions: 2, credits: 0, done: 0, failed: 1 },
          avg_processing_seconds: null,
        },
        {
          ...{ service_slug: 'video', operation_key: 'trim', submissions: 1, credits: 5, done: 1, failed: 0 },
          avg_processing_seconds: null,
        },
      ],
      [
        { date: '2040-06-09', submissions: 1, credits: 2, done: 0, failed: 0 },
        { date: '2040-06-10', submissions: 2, credits: 3, done: 1, failed: 1 },
      ],
      {
        ...{ days: 2, scope: 'own', submissions: 1, credits: 5, done: 1, failed: 0, canceled: 0 },
        active_users: 1,
      },
    ])
    await addUpUsage(testContext.deps)
    expect(await look()).toEqual(before)
    await happen(testContext, [{ account: two.id, at, action: 'submit', credits: 2 }])
    expect(await stats(testContext, administrator, 'usage/summary?days=2')).toMatchObject({
      submissions: 4,
      credits: 7,
      active_users: 2,
    })
  })
})

describe('the overview', () => {
  test('shows an account its jobs, credits, files and webhooks', async () => {
    const testContext = makeTestContext()
    const person = await register(testContext)
    const [done, failed] = [await submit(testContext, person), await submit(testContext, person)]
    await report(testContext, finished(done, doneOutcome(done, 61)))
    await report(testContext, finished(failed, FAILED))
    await submit(testContext, person)
    await report(testContext, started(await submit(testContext, person)))
    const answer = await testContext.call('POST', '/api/v1/uploads/presign', {
      token: person.token,
      body: { filename: 'a.png', content_type: 'image/png', size_bytes: 5 },
    })
    expect(answer.status).toBe(201)
    const deliver = (id: string, status: string, attempts: number) => ({
      sql: `INSERT INTO webhook_deliveries (id, account_id, job_id, type, url, status, attempts, created_at, retry_until)
        VALUES (?, ?, ?, 'job.done', 'https://hooks.example.org/', ?, ?, ?, 0)`,
      args: [`${id}${person.id}`, person.id, done, status, attempts, Date.now()],
    })
    await testContext.deps.db.$client.batch(
      [
        deliver('a', 'delivered', 1),
        deliver('b', 'delivered', 3),
        deliver('c', 'failed', 9),
        deliver('d', 'pending', 2),
        deliver('e', 'pending', 0),
      ],
      'write',
    )
    expect(await stats(testContext, person, 'overview')).toEqual({
      jobs: { queued: 1, processing: 1, done: 1, failed: 1, canceled: 0 },
      credits: { spent: 9, refunded: 2 },
      storage: { uploads: 1, results: 1 },
      webhooks: { delivered: 2, failing: 2 },
    })
  })

  test('shows an administrator the platform, its queue and its orders', async () => {
    const testContext = makeTestContext()
    const administrator = await registerAdministrator(testContext)
    const person = await register(testContext)
    const before = await stats(testContext, administrator, 'overview')
    const held = await submit(testContext, person)
    await submit(testContext, person)
    await testContext.deps.db.$client.execute({
      sql: "UPDATE jobs SET dispatch = json_set(dispatch, '$.hold_ms', 600000) WHERE id = ?",
      args: [held],
    })
    const after = await stats(testContext, administrator, 'overview')
    const queue = found(after.queue)
    expect(queue.delayed).toBe(found(found(before.queue).delayed) + 1)
    expect(after.jobs.queued).toBeGreaterThanOrEqual(2)
    expect(found(queue.waiting) + found(queue.delayed)).toBe(after.jobs.queued)
    expect(after.accounts).toBeGreaterThanOrEqual(2)
    expect(after.orders).toEqual({ paid: expect.any(Number), waiting: expect.any(Number) })
    expect(Object.keys(await stats(testContext, administrator, 'overview?mine=true'))).toEqual([
      'jobs',
      'credits',
      'storage',
      'webhooks',
    ])
  })
})
