import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { assignTurn, endTurn, startTurn } from '../testing/turns-model.ts'
import { addToLane, type EnqueueParts, enqueueJobs, removeJob } from './enqueue.ts'
import { handOver, LongWork } from './hand-over.ts'
import { connectRedis, listQueues, openQueues } from './queues.ts'
import { priorityOf, rankOf, TURNS_MAX, turnOf } from './rules/turns.ts'
import { assignPriorities, endJobTurn, startJobTurn } from './turn-keeper.ts'

let server: TestRedis
let parts: EnqueueParts
beforeAll(async () => {
  server = await startRedis()
  const redis = connectRedis({ REDIS_URL: server.url })
  parts = { redis, queues: openQueues(redis), environment: { ATTEMPTS_MAX: 3, RETRY_MS: 100 } }
})
afterAll(async () => {
  await Promise.all(listQueues(parts.queues).map((queue) => queue.close()))
  parts.redis.disconnect()
  await server.remove()
})

let jobs = 0
function dispatch(account_key: string, more: Partial<Dispatch> = {}): Dispatch {
  jobs += 1
  return {
    ...{ job_id: `job-${account_key}-${jobs}`, dispatch: 1, service_slug: 'video', operation_key: 'mute' },
    ...{ params: {}, source: { kind: 'object', key: 'key' }, pipeline: [], assets: {}, filename: 'clip.mp4' },
    ...{ max_input_seconds: 600, tier: 'free', priority: 100, hold_ms: 0, account_key },
    ...more,
  }
}

/** Returns the waiting jobs of the quick lane in the order in which they are served. */
async function order(): Promise<string[]> {
  const waiting = await parts.queues.lanes.quick.getPrioritized(0, -1)
  return waiting.map(({ data }) => data.account_key ?? '')
}

async function empty(): Promise<void> {
  await parts.redis.flushall()
}

type Arrival = { account: string; priority: number }
type Event = Arrival | { start: number } | { end: number }
interface Given {
  priority: number
  data: Dispatch
}

/** Applies events to Redis and to the model, and compares every turn. */
class Comparison {
  readonly #turns = [0, 1, 2].map(() => ({ now: 0, next: new Map<string, number>() }))
  readonly #given: Given[] = []

  async arrive({ account, priority }: Arrival): Promise<void> {
    const data = dispatch(account, { priority })
    const rank = rankOf(data)
    const [assigned = 0] = await assignPriorities(parts.redis, parts.queues.lanes.quick, [data])
    expect(assigned).toBe(priorityOf(rank, assignTurn(this.#stateOf(rank.group), rank)))
    this.#given.push({ priority: assigned, data })
  }

  async start(number: number): Promise<void> {
    const job = this.#given[number % this.#given.length]
    if (job === undefined) return
    const { group, turn } = turnOf(job.priority)
    startTurn(this.#stateOf(group), turn)
    await startJobTurn(parts.redis, parts.queues.lanes.quick, job as Parameters<typeof startJobTurn>[2])
  }

  async end(number: number): Promise<void> {
    const job = this.#given[number % this.#given.length]
    if (job === undefined) return
    const { group, turn } = turnOf(job.priority)
    endTurn(this.#stateOf(group), rankOf(job.data).account ?? '', turn)
    await endJobTurn(parts.redis, parts.queues.lanes.quick, job as Parameters<typeof endJobTurn>[2])
  }

  #stateOf(group: number) {
    return this.#turns[group] ?? { now: 0, next: new Map<string, number>() }
  }
}

test('agrees with the rule for any sequence of arrivals, starts and ends', async () => {
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.record({ account: fc.constantFrom('a', 'b', 'c'), priority: fc.constantFrom(1, 10, 30, 100, 200) }),
    fc.record({ start: fc.nat({ max: 50 }) }),
    fc.record({ end: fc.nat({ max: 50 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      await empty()
      const comparison = new Comparison()
      for (const each of events) {
        if ('account' in each) await comparison.arrive(each)
        else if ('start' in each) await comparison.start(each.start)
        else await comparison.end(each.end)
      }
    }),
    { numRuns: 15 },
  )
})

test('queues the first job of an account behind one job of an account with many, once per job', async () => {
  await empty()
  const many = Array.from({ length: 100 }, () => dispatch('busy'))
  await enqueueJobs(many, parts)
  await enqueueJobs(many, parts)
  await enqueueJobs(
    [dispatch('paid', { priority: 30, tier: 'paid' }), dispatch('new'), dispatch('new')],
    parts,
  )
  const queued = await order()
  expect(queued).toHaveLength(103)
  expect(queued.slice(0, 5)).toEqual(['paid', 'busy', 'new', 'busy', 'new'])
})

test('gives an account that canceled its jobs the next turn again', async () => {
  await empty()
  const canceled = Array.from({ length: 50 }, () => dispatch('busy'))
  await enqueueJobs(canceled, parts)
  await enqueueJobs([dispatch('other'), dispatch('other')], parts)
  for (const { job_id } of canceled) expect(await removeJob(job_id, parts)).toBe(true)
  await enqueueJobs([dispatch('busy')], parts)
  expect(await order()).toEqual(['other', 'busy', 'other'])
})

test('does not end the turn of a job with one of its segments', async () => {
  await empty()
  const { redis, queues } = parts
  await enqueueJobs([dispatch('busy')], parts)
  const [job] = await queues.lanes.quick.getPrioritized(0, 0)
  if (job === undefined) throw new Error('no job')
  await startJobTurn(redis, queues.lanes.quick, job)
  const segment = { first: 0, end: null, plan: '0'.repeat(16), rate: null }
  Object.assign(job, { data: { ...job.data, segment } })
  await endJobTurn(redis, queues.lanes.quick, job)
  await enqueueJobs([dispatch('busy')], parts)
  await enqueueJobs([dispatch('other')], parts)
  expect(await order()).toEqual(['busy', 'other', 'busy'])
})

test('keeps the processing time of a job that is handed over', async () => {
  await empty()
  const { quick, long } = parts.queues.lanes
  const moved = dispatch('moved')
  const job = await quick.add('mute', { ...moved, spent_seconds: 5 }, { jobId: moved.job_id })
  await handOver(job, new LongWork(100), 12, parts)
  expect((await long.getJob(moved.job_id))?.data).toMatchObject({ handed_over: true, spent_seconds: 12 })
})

test('moves a job that has waited too long ahead, and keeps a job that another lane holds', async () => {
  await empty()
  const [early, late] = [dispatch('early'), dispatch('late')]
  await enqueueJobs([early, late], parts)
  await enqueueJobs([{ ...late, dispatch: 2, priority: 1 }], parts)
  expect(await order()).toEqual(['late', 'early'])
  const moved = dispatch('moved')
  await addToLane('long', [{ ...moved, handed_over: true }], parts)
  await enqueueJobs([moved, { ...moved, dispatch: 2 }], parts)
  expect(await order()).toEqual(['late', 'early'])
})

test('keeps the turns of an account whose waiting jobs are dispatched again', async () => {
  await empty()
  const paid = (account: string) => dispatch(account, { priority: 30, tier: 'paid' })
  const waiting = [paid('a'), paid('a')]
  await enqueueJobs(waiting, parts)
  for (const number of [2, 3, 4])
    await enqueueJobs(
      waiting.map((job) => ({ ...job, dispatch: number, priority: 1 })),
      parts,
    )
  await enqueueJobs([...Array.from({ length: 4 }, () => paid('b')), paid('a')], parts)
  expect(await order()).toEqual(['a', 'b', 'a', 'b', 'b', 'a', 'b'])
})

test('starts the numbers over in a lane that is never empty, in the same order', async () => {
  await empty()
  const { redis, queues } = parts
  const queue = queues.lanes.quick
  await redis.hset(queue.toKey('turns'), 'now:1', TURNS_MAX - 10)
  await enqueueJobs([dispatch('a'), dispatch('a'), dispatch('b'), dispatch('c', { hold_ms: 60_000 })], parts)
  const before = await order()
  const [first] = await queue.getPrioritized(0, 0)
  if (first === undefined) throw new Error('no job')
  await startJobTurn(redis, queue, first)
  expect(await order()).toEqual(before)
  const [held] = await queue.getDelayed()
  expect(turnOf(held?.priority ?? 0)).toEqual({ group: 1, turn: 0 })
  const turns = (await queue.getPrioritized(0, -1)).map(({ priority }) => turnOf(priority).turn)
  expect(turns).toEqual([0, 0, 1])
  await enqueueJobs([dispatch('d')], parts)
  expect(await order()).toEqual(['a', 'b', 'd', 'a'])
})
