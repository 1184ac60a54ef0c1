import type { QuotaPolicy } from './lease.ts'

/**
 * Exact counts, for guesses at passwords and the like: no stretch of the window's length, wherever it
 * begins, holds more uses than the limit. Pure.
 */

/** Uses of one slot of time, which all lapse when the last of them does: none is forgotten too early. */
export interface TimedUses {
  at: number
  count: number
}

export interface ExactGrant {
  allowed: boolean
  remaining: number
  /** The time the use was counted at; `returnUse` finds it by that. */
  at: number
  /** When one more is let through, if nobody else comes first. */
  opens_at: number
}

/** Of a window: it bounds what is remembered, whatever the limit is. */
const SLOTS = 60

type Window = Pick<QuotaPolicy, 'limit' | 'window_ms'>

/** Counts one use, where the window that ends now has room for it. A clock that is late is taken for the latest seen. */
export function takeExactly(
  uses: readonly TimedUses[],
  { limit, window_ms }: Window,
  now: number,
): { uses: TimedUses[]; grant: ExactGrant } {
  const at = Math.max(now, uses.at(-1)?.at ?? 0)
  const present = uses.filter((use) => use.at > at - window_ms)
  const allowed = sumOf(present) < limit
  const after = allowed ? addUse(present, at, window_ms) : present
  const remaining = Math.max(0, limit - sumOf(after))
  const opens_at = opensAt(after, { limit, window_ms }, at)
  return { uses: after, grant: { allowed, remaining, at, opens_at } }
}

/** Takes one use out again that was counted at a time; one that has lapsed since is not there any more. */
export function returnUse(uses: readonly TimedUses[], window_ms: number, at: number): TimedUses[] {
  const slot = slotOf(at, window_ms)
  return uses
    .map((use) => (slotOf(use.at, window_ms) === slot ? { ...use, count: use.count - 1 } : use))
    .filter(({ count }) => count > 0)
}

function addUse(uses: readonly TimedUses[], at: number, window_ms: number): TimedUses[] {
  const last = uses.at(-1)
  if (last === undefined || slotOf(last.at, window_ms) !== slotOf(at, window_ms)) {
    return [...uses, { at, count: 1 }]
  }
  return [...uses.slice(0, -1), { at, count: last.count + 1 }]
}

function opensAt(uses: readonly TimedUses[], { limit, window_ms }: Window, now: number): number {
  let count = sumOf(uses)
  if (count < limit) return now
  for (const use of uses) {
    count -= use.count
    if (count < limit) return use.at + window_ms
  }
  // A limit of nothing never opens.
  return now + window_ms
}

function slotOf(time: number, window_ms: number): number {
  return Math.floor((time * SLOTS) / window_ms)
}

function sumOf(uses: readonly TimedUses[]): number {
  return uses.reduce((sum, { count }) => sum + count, 0)
}
