/**
 * Quotas limit the uses of a subject (an account, an address) per window of time. One counter per subject
 * stores the uses; isolates acquire small leases from it, so that most requests need no round trip and the
 * limit is never exceeded. Across the boundary of two windows twice the limit is possible; use exact counts
 * where that matters. Pure.
 */

/** A limit per window. Contract: Limits, Request limits; Errors, Status 429. */
export interface QuotaPolicy {
  /** Name in the RateLimit headers and in errors: "minute", "day". */
  name: string
  limit: number
  window_ms: number
  /** Name of the counter, if several policies of one subject share a name. */
  counter?: string
}

/** Uses of one policy in the window that begins at `window_start`. */
export interface QuotaUse {
  window_start: number
  used: number
}

export interface Grant {
  window_start: number
  /** Granted uses: a lease, or the remainder. */
  granted: number
  /** Uses that remain for others. */
  remaining: number
}

export function counterName({ name, counter = name }: Pick<QuotaPolicy, 'name' | 'counter'>): string {
  return counter
}

/** Returns the start of a window, a multiple of its length, so that all counters agree. */
export function windowStart(now: number, window_ms: number): number {
  return now - (now % window_ms)
}

/**
 * Grants a lease from a window, never exceeding its limit in total. A counter never returns to an earlier
 * window: a caller with a lagging clock gets uses of the current one.
 */
export function acquireLease(
  use: QuotaUse | undefined,
  { limit, window_ms }: Pick<QuotaPolicy, 'limit' | 'window_ms'>,
  now: number,
): { use: QuotaUse; grant: Grant } {
  const window_start = Math.max(windowStart(now, window_ms), use?.window_start ?? 0)
  const used = use?.window_start === window_start ? use.used : 0
  const left = Math.max(0, limit - used)
  const granted = Math.min(leaseSize(left), left)
  return {
    use: { window_start, used: used + granted },
    grant: { window_start, granted, remaining: left - granted },
  }
}

const LEASE_SHARE = 10
const LEASE_MAX = 100

/** Returns the size of a lease: smaller towards the end, so that few uses stay idle in other isolates. */
export function leaseSize(left: number): number {
  return Math.max(1, Math.min(LEASE_MAX, Math.floor(left / LEASE_SHARE)))
}

/** Returns the whole seconds until a time; at least 1. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000))
}
