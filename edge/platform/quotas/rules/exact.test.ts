import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acquireExactly, returnUse, type TimedUses } from './exact.ts'
import { secondsUntil } from './lease.ts'

const WINDOW_MS = 60_000
const START = 1_800_000_000_000
const policyOf = (limit: number) => ({ limit, window_ms: WINDOW_MS })

const limits = fc.integer({ min: 1, max: 12 })
const short_ms = fc.integer({ min: 0, max: 2000 })
/** Attempts that are close together or about a window apart. Some are returned a few attempts later. */
const attempts = fc.array(
  fc.record({
    pause_ms: fc.oneof(
      { weight: 8, arbitrary: short_ms },
      short_ms.map((less_ms) => WINDOW_MS - less_ms),
    ),
    returned_after: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat(5)),
  }),
  { maxLength: 120, size: 'max' },
)

/**
 * Plays attempts. @yields after each attempt: the stored uses, the grant, the time, and the times of the remaining
 * uses.
 */
function* play(limit: number, tries: { pause_ms: number; returned_after: number | null }[]) {
  const stayed: { time: number; returned_at: number | null }[] = []
  let uses: TimedUses[] = []
  let now = START
  for (const [index, { pause_ms, returned_after }] of tries.entries()) {
    now += pause_ms
    const acquired = acquireExactly(uses, policyOf(limit), now)
    uses = acquired.uses
    if (acquired.grant.allowed) {
      stayed.push({ time: now, returned_at: returned_after === null ? null : index + returned_after })
    }
    yield { uses, grant: acquired.grant, now, times: stayed.map(({ time }) => time) }
    for (const use of stayed.filter(({ returned_at }) => returned_at === index)) {
      uses = returnUse(uses, WINDOW_MS, use.time)
      stayed.splice(stayed.indexOf(use), 1)
    }
  }
}

/**
 * Returns the maximum number of uses in any interval of the window's length. That interval always starts at a use.
 */
function countFullest(times: number[]): number {
  const counts = times.map(
    (begin) => times.filter((time) => time >= begin && time < begin + WINDOW_MS).length,
  )
  return Math.max(0, ...counts)
}

describe('an exact count', () => {
  test('allows no more uses than the limit in any window, whatever is returned', () => {
    fc.assert(
      fc.property(limits, attempts, (limit, tries) => {
        for (const { times } of play(limit, tries)) expect(countFullest(times)).toBeLessThanOrEqual(limit)
      }),
    )
  })

  test('refuses nobody for longer than the window plus one slot', () => {
    fc.assert(
      fc.property(limits, attempts, (limit, tries) => {
        for (const { grant, times, now } of play(limit, tries)) {
          const recent = times.filter((time) => time > now - WINDOW_MS - WINDOW_MS / 60)
          if (!grant.allowed) expect(recent.length).toBeGreaterThanOrEqual(limit)
        }
      }),
    )
  })

  test('reports correctly when the next use is allowed, within one window', () => {
    fc.assert(
      fc.property(limits, attempts, (limit, tries) => {
        for (const { uses, grant, now } of play(limit, tries)) {
          expect(grant.opens_at).toBeLessThanOrEqual(now + WINDOW_MS)
          const later = now + secondsUntil(grant.opens_at, now) * 1000
          expect(acquireExactly(uses, policyOf(limit), later).grant.allowed).toBe(true)
        }
      }),
    )
  })

  test('stores little, whatever the limit and the number of uses', () => {
    let uses: TimedUses[] = []
    for (let index = 0; index < 5000; index++) {
      const acquired = acquireExactly(uses, policyOf(1_000_000), START + index * 100)
      expect(acquired.grant.allowed).toBe(true)
      uses = acquired.uses
    }
    expect(uses.length).toBeLessThanOrEqual(61)
  })

  test('gives exactly the limit at once, and each use again when its window ends', () => {
    const policy = policyOf(2)
    const first = acquireExactly([], policy, START)
    expect(first.grant).toEqual({ allowed: true, remaining: 1, at: START, opens_at: START })
    const second = acquireExactly(first.uses, policy, START + 30_000)
    expect(second.grant).toMatchObject({ allowed: true, remaining: 0, opens_at: START + WINDOW_MS })
    expect(acquireExactly(second.uses, policy, START + WINDOW_MS - 1).grant.allowed).toBe(false)
    const third = acquireExactly(second.uses, policy, START + WINDOW_MS)
    expect(third.grant).toMatchObject({ allowed: true, opens_at: START + 30_000 + WINDOW_MS })
    expect(acquireExactly(third.uses, policy, START + WINDOW_MS).grant.allowed).toBe(false)
  })

  test('expires uses that are close together with the last of them', () => {
    const { uses } = acquireExactly(acquireExactly([], policyOf(2), START).uses, policyOf(2), START + 900)
    expect(acquireExactly(uses, policyOf(2), START + WINDOW_MS).grant.allowed).toBe(false)
    const both = acquireExactly(uses, policyOf(2), START + 900 + WINDOW_MS).grant
    expect(both).toMatchObject({ allowed: true, remaining: 1 })
  })

  test('treats a late clock as the latest time seen', () => {
    const { uses } = acquireExactly([], policyOf(1), START)
    const late = acquireExactly(uses, policyOf(2), START - 5000)
    expect(late.grant).toMatchObject({ allowed: true, at: START })
    expect(acquireExactly(uses, policyOf(1), START - 5000).grant.allowed).toBe(false)
  })

  test('respects a lowered limit, and allows nothing under a zero limit', () => {
    let uses: TimedUses[] = []
    for (const second of [0, 10, 20, 30]) {
      uses = acquireExactly(uses, policyOf(5), START + second * 1000).uses
    }
    const refused = acquireExactly(uses, policyOf(2), START + 40_000).grant
    expect(refused).toMatchObject({ allowed: false, remaining: 0, opens_at: START + 20_000 + WINDOW_MS })
    const closed = acquireExactly([], policyOf(0), START).grant
    expect(closed).toMatchObject({ allowed: false, remaining: 0, opens_at: START + WINDOW_MS })
  })

  test('returns the use counted at that time and no other', () => {
    let uses: TimedUses[] = []
    for (const second of [0, 10, 20]) uses = acquireExactly(uses, policyOf(3), START + second * 1000).uses
    uses = returnUse(uses, WINDOW_MS, START + 10_000)
    expect(uses.map(({ at }) => at - START)).toEqual([0, 20_000])
    // That use is no longer stored.
    expect(returnUse(uses, WINDOW_MS, START - WINDOW_MS)).toEqual(uses)
  })
})
