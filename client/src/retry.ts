import type { MediaError } from './error.ts'

const FIRST_PAUSE_MS = 500
const PAUSE_MS_MAX = 10_000

export interface Attempt {
  error: MediaError
  /** Number of the failed attempt, from 1. */
  number: number
  /** Time that the request has already waited because of Retry-After. */
  waited_ms: number
  /** True if repeating the request has no further effect, as for reads and requests with an Idempotency-Key. */
  is_repeatable: boolean
}

export interface RetryLimits {
  maxRetries: number
  maxWaitMs: number
}

/**
 * Returns the wait before the next attempt in milliseconds, or null if the request must not be retried. A request
 * refused with Retry-After had no effect, so any such request can be retried.
 * @param random a number from 0 to 1, which spreads the attempts of many clients
 */
export function pauseBeforeRetry(attempt: Attempt, limits: RetryLimits, random: number): number | null {
  const { error, number, waited_ms, is_repeatable } = attempt
  const wait_ms = (error.retryAfter ?? 0) * 1000
  if (isPostponed(error)) {
    const pause_ms = wait_ms + random * FIRST_PAUSE_MS
    return waited_ms + wait_ms <= limits.maxWaitMs ? pause_ms : null
  }
  if (!is_repeatable || !isTransient(error) || number > limits.maxRetries) return null
  return Math.max(wait_ms, random * backoff(number))
}

/** Returns the longest pause after a failed attempt. */
export function backoff(number: number): number {
  return Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (number - 1))
}

function isPostponed({ status, code, retryAfter }: MediaError): boolean {
  if (retryAfter === undefined) return false
  return status === 429 || code === 'maintenance' || code === 'idempotency_request_running'
}

function isTransient({ status, code }: MediaError): boolean {
  return code === 'network_error' || code === 'timeout' || status === 429 || (status >= 500 && status !== 501)
}

/** Waits until the time has passed or the signal is aborted. */
export function pause(duration_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, duration_ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
