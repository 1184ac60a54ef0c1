import { describe, expect, test } from 'vitest'
import { LOST_QUEUE } from '../../test/edge/worker/context.ts'
import { makeLimitedWorld } from '../../test/edge/worker/limited-context.ts'
import { giveCredits, ledgerOf, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { submitBatch } from '../../test/edge/worker/studio.ts'
import { redispatchSilentJobs } from './redispatch.ts'

describe('jobs in flight', () => {
  test('200 submits at once on an account that may have five: five are taken, the others get 429', async () => {
    const world = await makeLimitedWorld({ requests_per_minute_free: 1000 })
    const person = await register(world)
    await giveCredits(world, person, 1000)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        world.call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([5, 195])
    for (const { json, headers } of refused) {
      expect(json.code).toBe('too_many_jobs_in_flight')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await ledgerOf(world, person)).toMatchObject({ balance: 1020 - 5 * 2, check: { ok: true } })
  })

  test('there is room again when a job ends, in whichever way', async () => {
    const world = await makeLimitedWorld({ in_flight_max_free: 2 })
    const person = await register(world)
    const tryOne = async () =>
      (await world.call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })).status
    const [first, second] = [await submit(world, person), await submit(world, person)]
    expect(await tryOne()).toBe(429)
    await world.call('POST', `/api/v1/jobs/${first}/cancel`, { token: person.token })
    expect([await tryOne(), await tryOne()]).toEqual([201, 429])
    await report(world, finished(second, FAILED))
    expect(await tryOne()).toBe(201)
  })

  test('also a repeat counts', async () => {
    const world = await makeLimitedWorld({ in_flight_max_free: 1 })
    const person = await register(world)
    const id = await submit(world, person)
    const repeat = await world.call('POST', `/api/v1/jobs/${id}/repeat`, { token: person.token })
    expect(repeat.status).toBe(429)
  })
})

describe('the queue', () => {
  const dispatchOf = async (world: Awaited<ReturnType<typeof makeLimitedWorld>>, id: string) => {
    const { rows } = await world.deps.db.$client.execute({
      sql: 'SELECT dispatch FROM jobs WHERE id = ?',
      args: [id],
    })
    return JSON.parse(String(rows[0]?.dispatch))
  }

  test('holds free jobs back where the operator says so', async () => {
    for (const [free_jobs_held, hold_ms] of [
      [false, 0],
      [true, 20_000],
    ] as const) {
      const world = await makeLimitedWorld({ free_jobs_held }, { DISPATCH: LOST_QUEUE })
      const id = await submit(world, await register(world))
      expect(await dispatchOf(world, id)).toMatchObject({ hold_ms, priority: 100, tier: 'free' })
    }
  })

  test("puts a caller's further jobs behind the first job of another caller", async () => {
    const world = await makeLimitedWorld({}, { DISPATCH: LOST_QUEUE })
    const [busy, other] = [await register(world), await register(world)]
    const [first, second, third] = [
      await submit(world, busy),
      await submit(world, busy),
      await submit(world, busy),
    ]
    const ids = [first, second, third, await submit(world, other)]
    const priorities = await Promise.all(ids.map(async (id) => (await dispatchOf(world, id)).priority))
    expect(priorities).toEqual([100, 101, 102, 100])
    await world.call('POST', `/api/v1/jobs/${first}/cancel`, { token: busy.token })
    expect(await dispatchOf(world, await submit(world, busy))).toMatchObject({ priority: 102 })
  })

  test('orders the files of a batch as it orders single jobs', async () => {
    const world = await makeLimitedWorld({}, { DISPATCH: LOST_QUEUE })
    const { jobs } = await submitBatch(world, await register(world), 3)
    const priorities = jobs.map(async ({ id }: { id: string }) => (await dispatchOf(world, id)).priority)
    expect(await Promise.all(priorities)).toEqual([100, 101, 102])
  })

  test('lets a job wait behind others ten minutes at most; then it is handed over as the first', async () => {
    const world = await makeLimitedWorld({ free_jobs_held: true }, { DISPATCH: LOST_QUEUE })
    const id = await submit(world, await register(world))
    const waitFor = async (ms: number) => {
      const args = [world.clock.now - ms, id]
      await world.deps.db.$client.execute({ sql: 'UPDATE jobs SET heard_at = ? WHERE id = ?', args })
      await redispatchSilentJobs(world.deps)
    }
    await waitFor(10 * 60 * 1000 - 1000)
    expect(await dispatchOf(world, id)).toMatchObject({ dispatch: 1, priority: 100, hold_ms: 20_000 })
    await waitFor(10 * 60 * 1000 + 1000)
    expect(await dispatchOf(world, id)).toMatchObject({ dispatch: 2, priority: 1, hold_ms: 0 })
  })
})
