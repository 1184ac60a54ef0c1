/**
 * Quotas limit how often a subject (an account or an address) may do something per time window. One counter per
 * subject stores the uses. Isolates acquire small leases from it, so most requests need no round trip and the limit
 * is never exceeded. Twice the limit is possible across the boundary between two windows; use exact counts where
 * that matters. Pure.
 */

/** A limit per time window. Contract: Limits, Request limits; Errors, Status 429. */
export interface QuotaPolicy {
  /** Name in the RateLimit headers and in errors, such as "minute" or "day". */
  name: string
  limit: number
  window_ms: number
  /** Name of the counter, if several policies of one subject share a name. */
  counter?: string
}

/** Uses of one policy in the window that starts at `window_start`. */
export interface QuotaUse {
  window_start: number
  used: number
}

export interface Grant {
  window_start: number
  /** The number of uses granted: a full lease, or the remainder. */
  granted: number
  /** The number of uses that remain for others. */
  remaining: number
}

export function counterName({ name, counter = name }: Pick<QuotaPolicy, 'name' | 'counter'>): string {
  return counter
}

/** Returns the start of a window. It is a multiple of the window's length, so all counters agree. */
export function windowStart(now: number, window_ms: number): number {
  return now - (now % window_ms)
}

/**
 * Grants a lease from a window without ever exceeding the window's limit in total. A counter never goes back to an
 * earlier window: a caller whose clock lags gets uses from the current one.
 * @param wanted the most uses that the caller can spend soon.
 */
export function acquireLease(
  use: QuotaUse | undefined,
  { limit, window_ms }: Pick<QuotaPolicy, 'limit' | 'window_ms'>,
  now: number,
  wanted = LEASE_MAX,
): { use: QuotaUse; grant: Grant } {
  const window_start = Math.max(windowStart(now, window_ms), use?.window_start ?? 0)
  const used = use?.window_start === window_start ? use.used : 0
  const left = Math.max(0, limit - used)
  const granted = Math.min(leaseSize(left), left, wanted)
  return {
    use: { window_start, used: used + granted },
    grant: { window_start, granted, remaining: left - granted },
  }
}

const LEASE_SHARE = 10
const LEASE_MAX = 100

/** Returns the size of a lease. Leases shrink as the limit approaches, so few uses sit idle in other isolates. */
export function leaseSize(left: number): number {
  return Math.max(1, Math.min(LEASE_MAX, Math.floor(left / LEASE_SHARE)))
}

/** The first lease of an isolate, which may get no second request: slow callers lose nothing to idle isolates. */
export const FIRST_LEASE = 1
/** A lease should last about this long: what an isolate holds when it stops counts as used. */
const LEASE_LASTS_MS = 5000

/** Returns how many uses to ask for, given the previous lease and how long it lasted. */
export function nextLease(size: number, lasted_ms: number): number {
  if (lasted_ms < LEASE_LASTS_MS) return Math.min(LEASE_MAX, size * 2)
  return lasted_ms < 2 * LEASE_LASTS_MS ? size : Math.max(FIRST_LEASE, Math.floor(size / 2))
}

/** Returns the number of whole seconds until a time, at least 1. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000))
}
