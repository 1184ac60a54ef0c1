import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { assignTurn, startTurn } from '../testing/turns-model.ts'
import { addToLane, type EnqueueParts, enqueueJobs, removeJob } from './enqueue.ts'
import { connectRedis, listQueues, openQueues } from './queues.ts'
import { priorityOf, rankOf, TURNS_MAX, turnOf } from './rules/turns.ts'
import { assignPriorities, startJobTurn } from './turn-keeper.ts'

let server: TestRedis
let parts: EnqueueParts
beforeAll(async () => {
  server = await startRedis()
  const redis = connectRedis(server.url)
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

test('agrees with the rule for any sequence of arrivals and starts', async () => {
  const { redis, queues } = parts
  const event = fc.oneof(
    fc.record({ account: fc.constantFrom('a', 'b', 'c'), priority: fc.constantFrom(1, 10, 30, 100, 200) }),
    fc.record({ start: fc.nat({ max: 50 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      await empty()
      const turns = [0, 1, 2].map(() => ({ now: 0, next: new Map<string, number>() }))
      const given: number[] = []
      for (const each of events) {
        if ('account' in each) {
          const job = dispatch(each.account, { priority: each.priority })
          const rank = rankOf(job)
          const state = turns[rank.group] ?? { now: 0, next: new Map() }
          const [priority] = await assignPriorities(redis, queues.lanes.quick, [job])
          expect(priority).toBe(priorityOf(rank, assignTurn(state, rank)))
          given.push(priority ?? 0)
        } else if (given.length > 0) {
          const priority = given[each.start % given.length] ?? 1
          const { group, turn } = turnOf(priority)
          const state = turns[group]
          if (state !== undefined) startTurn(state, turn)
          await startJobTurn(redis, queues.lanes.quick, { priority } as Parameters<typeof startJobTurn>[2])
        }
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
