/**
 * Quotas: at most so many uses of a subject (a key, an account, an address) in each window of time.
 * One counter for each subject holds what is used; isolates take small leases from it, so that most
 * requests are counted without a round trip and the limit is still never exceeded. Pure.
 */

/** Specification: Limits; Errors, 429. */
export interface QuotaPolicy {
  /** As the RateLimit headers and the refusal name it: "minute", "day". */
  name: string
  limit: number
  window_ms: number
}

/** What a subject has used of one policy in the window that began at `window_start`. */
export interface QuotaUse {
  window_start: number
  used: number
}

export interface Grant {
  window_start: number
  /** Uses that were given: as many as wanted, or what was left. */
  granted: number
  /** What is left for others after this. */
  remaining: number
}

/** Windows begin at whole multiples of their length, so that all counters agree on them. */
export function windowStart(now: number, window_ms: number): number {
  return now - (now % window_ms)
}

/** Gives uses out of a window, never more than its limit altogether. */
export function takeUses(
  use: QuotaUse | undefined,
  { limit, window_ms }: Pick<QuotaPolicy, 'limit' | 'window_ms'>,
  wanted: number,
  now: number,
): { use: QuotaUse; grant: Grant } {
  const window_start = windowStart(now, window_ms)
  const used = use?.window_start === window_start ? use.used : 0
  const granted = Math.max(0, Math.min(wanted, limit - used))
  const after = used + granted
  return {
    use: { window_start, used: after },
    grant: { window_start, granted, remaining: Math.max(0, limit - after) },
  }
}

const LEASE_SHARE = 20

/** How many uses an isolate takes at once: a twentieth, so that little lies idle elsewhere. */
export function leaseSize({ limit }: Pick<QuotaPolicy, 'limit'>): number {
  return Math.max(1, Math.floor(limit / LEASE_SHARE))
}

/** Whole seconds until the window of `now` ends; at least 1. */
export function secondsToReset(now: number, window_ms: number): number {
  return Math.max(1, Math.ceil((windowStart(now, window_ms) + window_ms - now) / 1000))
}
