import type { QuotaPolicy } from './lease.ts'

/**
 * Exact counts, for password guesses and the like: no interval of the window's length, wherever it begins,
 * contains more uses than the limit. Pure.
 */

/** Uses in one time slot, which expire together with the last of them, so that none expires early. */
export interface TimedUses {
  at: number
  count: number
}

export interface ExactGrant {
  allowed: boolean
  remaining: number
  /** The time of the use; `returnUse` finds it by this time. */
  at: number
  /** When the next use is allowed, if no other comes first. */
  opens_at: number
}

/** Slots per window, which bound the stored data for any limit. */
const SLOTS = 60

type Window = Pick<QuotaPolicy, 'limit' | 'window_ms'>

/** Counts one use if the sliding window has room. A clock that lags is replaced by the latest time seen. */
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

/** Removes the use counted at a time, unless it has expired. */
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
  // A limit of zero never allows a use.
  return now + window_ms
}

function slotOf(time: number, window_ms: number): number {
  return Math.floor((time * SLOTS) / window_ms)
}

function sumOf(uses: readonly TimedUses[]): number {
  return uses.reduce((sum, { count }) => sum + count, 0)
}
