/**
 * Quotas: at most so many uses of a subject (an account, an address) in each window of time.
 * One counter for each subject holds what is used; isolates take small leases from it, so that most
 * requests are counted without a round trip and the limit is still never exceeded. Pure.
 * Where two windows meet, twice the limit can come at once: what must not have that is counted exactly.
 */

/** Contract: Limits, Request limits; Errors, Status 429. */
export interface QuotaPolicy {
  /** As the RateLimit headers and the refusal name it: "minute", "day". */
  name: string
  limit: number
  window_ms: number
  /** What is counted, where several policies of one subject share a name. */
  counter?: string
}

/** What a subject has used of one policy in the window that began at `window_start`. */
export interface QuotaUse {
  window_start: number
  used: number
}

export interface Grant {
  window_start: number
  /** Uses that were given: a lease, or what was left. */
  granted: number
  /** What is left for others after this. */
  remaining: number
}

export function counterName({ name, counter = name }: Pick<QuotaPolicy, 'name' | 'counter'>): string {
  return counter
}

/** Windows begin at whole multiples of their length, so that all counters agree on them. */
export function windowStart(now: number, window_ms: number): number {
  return now - (now % window_ms)
}

/**
 * Gives a lease out of a window, never more than its limit altogether. A counter never goes back to a
 * window that it has left: who asks with a clock that is late is given uses of the present one.
 */
export function takeLease(
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

/** How many uses an isolate takes at once: fewer towards the end, so that little lies idle elsewhere. */
export function leaseSize(left: number): number {
  return Math.max(1, Math.min(LEASE_MAX, Math.floor(left / LEASE_SHARE)))
}

/** Whole seconds until a time; at least 1. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000))
}
