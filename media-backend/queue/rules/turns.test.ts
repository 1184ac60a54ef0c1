import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignTurn, endTurn, releaseTurn, startTurn } from '../../testing/turns-model.ts'
import { priorityOf, rankOf, TURNS_MAX, turnOf } from './turns.ts'

interface Waiting {
  account: string
  priority: number
  number: number
}

/** A lane that serves jobs as BullMQ does: by priority, then in order of arrival. */
function openLane() {
  const turns = [0, 1, 2].map(() => ({ now: 0, next: new Map<string, number>() }))
  const waiting: Waiting[] = []
  let arrived = 0
  return {
    waiting,
    add(
      account: string,
      priority: number,
      tier: 'paid' | 'free' = priority < 100 ? 'paid' : 'free',
    ): Waiting {
      const rank = rankOf({ priority, tier, account_key: account })
      const state = turns[rank.group]
      if (state === undefined) throw new Error('no such group')
      arrived += 1
      const job = { account, priority: priorityOf(rank, assignTurn(state, rank)), number: arrived }
      waiting.push(job)
      return job
    },
    serve(): Waiting | undefined {
      waiting.sort((one, other) => one.priority - other.priority || one.number - other.number)
      const job = waiting.shift()
      if (job === undefined) return undefined
      const { group, turn } = turnOf(job.priority)
      const state = turns[group]
      if (state !== undefined) startTurn(state, turn)
      return job
    },
    end({ account, priority }: Waiting): void {
      const { group, turn } = turnOf(priority)
      const state = turns[group]
      if (state !== undefined) endTurn(state, account, turn)
    },
  }
}

type Event = { add: string; count: number } | { serve: number }

function apply(lane: ReturnType<typeof openLane>, event: Event): void {
  const times = 'add' in event ? event.count : event.serve
  for (let n = 0; n < times; n += 1) {
    if ('add' in event) lane.add(event.add, 100)
    else lane.serve()
  }
}

/** Serves one job at a time until `last` starts, and returns the accounts of the jobs that ran before. */
function runUntil(last: Waiting, lane: ReturnType<typeof openLane>, running: Waiting | undefined): string[] {
  const before: string[] = []
  for (let job = running ?? lane.serve(); job !== undefined && job !== last; job = lane.serve()) {
    before.push(job.account)
    lane.end(job)
  }
  return before
}

describe('turns', () => {
  test('delay the first job of an account by at most one job of every other account', () => {
    const event = fc.oneof(
      fc.record({ add: fc.constantFrom('a', 'b', 'c'), count: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ serve: fc.integer({ min: 1, max: 30 }) }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const lane = openLane()
        for (const each of events) apply(lane, each)
        const first = lane.add('new', 100)
        const before: string[] = []
        for (let job = lane.serve(); job !== first; job = lane.serve()) before.push(job?.account ?? 'none')
        expect(new Set(before).size).toBe(before.length)
      }),
    )
  })

  test('delay each job of an account without open jobs by at most one job of every other account', () => {
    const event = fc.record({ account: fc.constantFrom('a', 'b'), count: fc.integer({ min: 0, max: 20 }) })
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 30 }), (events) => {
        const lane = openLane()
        let running: Waiting | undefined
        for (const { account, count } of events) {
          for (let n = 0; n < count; n += 1) lane.add(account, 100)
          running ??= lane.serve()
          const single = lane.add('single', 100)
          const before = runUntil(single, lane, running)
          expect(new Set(before).size, before.join()).toBe(before.length)
          lane.end(single)
          running = lane.serve()
        }
      }),
    )
  })

  test('let 10,000 jobs of one account delay another by one job', () => {
    const lane = openLane()
    for (let n = 0; n < 10_000; n += 1) lane.add('busy', 100)
    for (let n = 0; n < 100; n += 1) lane.serve()
    const first = lane.add('new', 100)
    expect([lane.serve(), lane.serve()]).toContain(first)
  })

  test('serve paid accounts before a backlog of free ones, and overdue jobs in turn with them', () => {
    const lane = openLane()
    for (let n = 0; n < 1000; n += 1) lane.add(`free-${n}`, 100)
    for (let n = 0; n < 3; n += 1) lane.add(`late-${n}`, 1, 'free')
    for (let n = 0; n < 3; n += 1) lane.add('paid', 30)
    const served = Array.from({ length: 7 }, () => lane.serve()?.account)
    expect(served).toEqual(['late-0', 'paid', 'late-1', 'paid', 'late-2', 'paid', 'free-0'])
  })

  test('serve plans of a round in the order of their priority', () => {
    const lane = openLane()
    for (const [account, priority] of [
      ['starter', 30],
      ['business', 10],
      ['pro', 20],
    ] as const) {
      lane.add(account, priority)
      lane.add(account, priority)
    }
    const served = Array.from({ length: 6 }, () => lane.serve()?.account)
    expect(served).toEqual(['business', 'pro', 'starter', 'business', 'pro', 'starter'])
  })

  test('do not count canceled jobs', () => {
    const turns = { now: 0, next: new Map<string, number>() }
    const rank = { account: 'a', waiting: 0 }
    for (let n = 0; n < 100; n += 1) assignTurn(turns, rank)
    for (let n = 0; n < 100; n += 1) releaseTurn(turns, 'a')
    expect(assignTurn(turns, rank)).toBe(0)
  })

  test('fit into the priorities of BullMQ, and can be read from them', () => {
    for (const group of [0, 1, 2])
      for (const turn of [0, 1, TURNS_MAX - 1])
        for (const level of [0, 9]) {
          const priority = priorityOf({ group, level }, turn)
          expect(priority).toBeLessThan(2 ** 21)
          expect(priority).toBeGreaterThan(0)
          expect(turnOf(priority)).toEqual({ group, turn })
        }
    expect(priorityOf({ group: 0, level: 9 }, 10 * TURNS_MAX)).toBeLessThan(
      priorityOf({ group: 1, level: 0 }, 0),
    )
  })
})
