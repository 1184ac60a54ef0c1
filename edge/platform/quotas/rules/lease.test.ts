import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acquireLease, leaseSize, nextLease, type QuotaUse, secondsUntil, windowStart } from './lease.ts'

const WINDOW_MS = 1000

test.each([
  ['spent at once', 16, 10, 32],
  ['spent at once at the maximum', 100, 10, 100],
  ['spent in time', 16, 7000, 16],
  ['spent slowly', 16, 60_000, 8],
  ['spent slowly at the minimum', 1, 60_000, 1],
])('a lease that was %s is followed by one of the right size', (_how, size, lasted_ms, next) => {
  expect(nextLease(size, lasted_ms)).toBe(next)
})

describe('a counter', () => {
  test('never leases more than the limit in one window, to any caller at any time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.array(fc.integer({ min: 0, max: 5 * WINDOW_MS }), { maxLength: 200 }),
        (limit, times) => {
          const given = new Map<number, number>()
          let use: QuotaUse | undefined
          for (const now of times) {
            const acquired = acquireLease(use, { limit, window_ms: WINDOW_MS }, now)
            const { window_start, granted, remaining } = acquired.grant
            expect(granted).toBeGreaterThanOrEqual(0)
            expect(window_start).toBeGreaterThanOrEqual(use?.window_start ?? 0)
            given.set(window_start, (given.get(window_start) ?? 0) + granted)
            expect(given.get(window_start)).toBeLessThanOrEqual(limit)
            expect(remaining).toBe(limit - (given.get(window_start) ?? 0))
            use = acquired.use
          }
        },
      ),
    )
  })

  test('leases the whole limit to a caller that keeps asking', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6000 }), (limit) => {
        let use: QuotaUse | undefined
        let given = 0
        for (;;) {
          const acquired = acquireLease(use, { limit, window_ms: WINDOW_MS }, 0)
          if (acquired.grant.granted === 0) break
          given += acquired.grant.granted
          use = acquired.use
        }
        expect(given).toBe(limit)
      }),
    )
  })

  test('starts again with each window, and respects a lowered limit', () => {
    const policy = { limit: 10, window_ms: WINDOW_MS }
    const use = { window_start: 0, used: 10 }
    expect(acquireLease(use, policy, 999).grant).toEqual({ window_start: 0, granted: 0, remaining: 0 })
    expect(acquireLease(use, policy, 1000).grant).toEqual({ window_start: 1000, granted: 1, remaining: 9 })
    expect(acquireLease(use, { ...policy, limit: 4 }, 999).grant).toMatchObject({ granted: 0, remaining: 0 })
  })

  test('does not go back for a late clock', () => {
    const policy = { limit: 2, window_ms: WINDOW_MS }
    const use = { window_start: 1000, used: 2 }
    expect(acquireLease(use, policy, 500).grant).toEqual({ window_start: 1000, granted: 0, remaining: 0 })
  })
})

test.each([
  [1, 1],
  [30, 3],
  [60, 6],
  [300, 30],
  [5000, 100],
  [1_000_000_000, 100],
])('with %i left a lease is %i', (left, size) => {
  expect(leaseSize(left)).toBe(size)
})

test('windows start and end at multiples of their length', () => {
  expect([windowStart(0, 1000), windowStart(999, 1000), windowStart(1000, 1000)]).toEqual([0, 0, 1000])
  expect([0, 1, 999, 1000].map((now) => secondsUntil(60_000, now))).toEqual([60, 60, 60, 59])
  expect(secondsUntil(1000, 5000)).toBe(1)
})
