import type { QuotaPolicy } from './lease.ts'

/**
 * Exact counts, for example for password guesses: no interval of the window's length, wherever it starts, contains
 * more uses than the limit. Pure.
 */

/** Uses in one time slot. They all expire with the last one, so none expires early. */
export interface TimedUses {
  at: number
  count: number
}

export interface ExactGrant {
  allowed: boolean
  remaining: number
  /** The time of the use, by which `returnUse` finds it. */
  at: number
  /** When the next use is allowed, unless another use is counted first. */
  opens_at: number
}

/** Slots per window. They keep the stored data small for any limit. */
const SLOTS = 60

type Window = Pick<QuotaPolicy, 'limit' | 'window_ms'>

/** Counts one use if the sliding window has room. If the clock lags, the latest time seen is used instead. */
export function acquireExactly(
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

/** Removes the use counted at the given time, unless it has expired. */
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
  // With a limit of zero, no use is ever allowed.
  return now + window_ms
}

function slotOf(time: number, window_ms: number): number {
  return Math.floor((time * SLOTS) / window_ms)
}

function sumOf(uses: readonly TimedUses[]): number {
  return uses.reduce((sum, { count }) => sum + count, 0)
}
