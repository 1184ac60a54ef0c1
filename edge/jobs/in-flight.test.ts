import { describe, expect, test } from 'vitest'
import { LOST_QUEUE } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { giveCredits, ledgerOf, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { submitBatch } from '../../test/edge/worker/studio.ts'
import { redispatchStaleJobs } from './redispatch.ts'

describe('jobs in flight', () => {
  test('of 200 concurrent submissions on an account limited to five, five are accepted and the others get 429', {
    tags: ['extended'],
  }, async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_free: 1000 })
    const person = await register(testContext)
    await giveCredits(testContext, person, 1000)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        testContext.call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([5, 195])
    for (const { json, headers } of refused) {
      expect(json.code).toBe('too_many_jobs_in_flight')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 1020 - 5 * 2, check: { ok: true } })
  })

  test('free a place when a job ends in any way', async () => {
    const testContext = await makeLimitedContext({ in_flight_max_free: 2 })
    const person = await register(testContext)
    const tryOne = async () =>
      (await testContext.call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })).status
    const [first, second] = [await submit(testContext, person), await submit(testContext, person)]
    expect(await tryOne()).toBe(429)
    await testContext.call('POST', `/api/v1/jobs/${first}/cancel`, { token: person.token })
    expect([await tryOne(), await tryOne()]).toEqual([201, 429])
    await report(testContext, finished(second, FAILED))
    expect(await tryOne()).toBe(201)
  })

  test('include repeats', async () => {
    const testContext = await makeLimitedContext({ in_flight_max_free: 1 })
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const repeat = await testContext.call('POST', `/api/v1/jobs/${id}/repeat`, { token: person.token })
    expect(repeat.status).toBe(429)
  })
})

describe('the queue', () => {
  const dispatchOf = async (testContext: Awaited<ReturnType<typeof makeLimitedContext>>, id: string) => {
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT dispatch FROM jobs WHERE id = ?',
      args: [id],
    })
    return JSON.parse(String(rows[0]?.dispatch))
  }

  test('holds free jobs when the setting says so', async () => {
    for (const [free_jobs_held, hold_ms] of [
      [false, 0],
      [true, 20_000],
    ] as const) {
      const testContext = await makeLimitedContext({ free_jobs_held }, { DISPATCH: LOST_QUEUE })
      const id = await submit(testContext, await register(testContext))
      expect(await dispatchOf(testContext, id)).toMatchObject({ hold_ms, priority: 100, tier: 'free' })
    }
  })

  test('places further jobs of a caller behind the first job of another caller', async () => {
    const testContext = await makeLimitedContext({}, { DISPATCH: LOST_QUEUE })
    const [busy, other] = [await register(testContext), await register(testContext)]
    const [first, second, third] = [
      await submit(testContext, busy),
      await submit(testContext, busy),
      await submit(testContext, busy),
    ]
    const ids = [first, second, third, await submit(testContext, other)]
    const priorities = await Promise.all(ids.map(async (id) => (await dispatchOf(testContext, id)).priority))
    expect(priorities).toEqual([100, 101, 102, 100])
    await testContext.call('POST', `/api/v1/jobs/${first}/cancel`, { token: busy.token })
    expect(await dispatchOf(testContext, await submit(testContext, busy))).toMatchObject({ priority: 102 })
  })

  test('orders the files of a batch like single jobs', async () => {
    const testContext = await makeLimitedContext({}, { DISPATCH: LOST_QUEUE })
    const { jobs } = await submitBatch(testContext, await register(testContext), 3)
    const priorities = jobs.map(
      async ({ id }: { id: string }) => (await dispatchOf(testContext, id)).priority,
    )
    expect(await Promise.all(priorities)).toEqual([100, 101, 102])
  })

  test('makes a job wait at most ten minutes; then it is dispatched first', async () => {
    const testContext = await makeLimitedContext({ free_jobs_held: true }, { DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    const waitFor = async (ms: number) => {
      const args = [testContext.clock.now - ms, id]
      await testContext.deps.db.$client.execute({ sql: 'UPDATE jobs SET heard_at = ? WHERE id = ?', args })
      await redispatchStaleJobs(testContext.deps)
    }
    await waitFor(10 * 60 * 1000 - 1000)
    expect(await dispatchOf(testContext, id)).toMatchObject({ dispatch: 1, priority: 100, hold_ms: 20_000 })
    await waitFor(10 * 60 * 1000 + 1000)
    expect(await dispatchOf(testContext, id)).toMatchObject({ dispatch: 2, priority: 1, hold_ms: 0 })
  })
})
