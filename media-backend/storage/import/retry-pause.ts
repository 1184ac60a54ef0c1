/** Number of tries in a row that bring nothing new. */
const TRIES_MAX = 8
const PAUSE_MS_MIN = 500
const PAUSE_MS_MAX = 30_000
/** A server that asks for a longer pause is asked again after this time. */
const RETRY_AFTER_MS_MAX = 60_000

interface FailedTry {
  /** Number of tries in a row that brought nothing new, this one included. */
  failures: number
  /** Time that the import has waited so far, and its limit. */
  waited_ms: number
  waited_ms_max: number
  /** Time until the limit of the whole import. */
  left_ms: number
  /** Pause that the server asks for. */
  retry_after_ms: number | null
  /** From 0 to 1. */
  random: number
}

/**
 * Returns the pause before the next try, or null if there is none. It doubles up to 30 s, half of it is random, and it is
 * not shorter than what the server asks for.
 */
export function pauseBeforeRetry(failed: FailedTry): number | null {
  const { failures, waited_ms, waited_ms_max, left_ms, retry_after_ms, random } = failed
  if (failures >= TRIES_MAX) return null
  const longest_ms = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** (failures - 1))
  const wanted_ms = Math.min(RETRY_AFTER_MS_MAX, retry_after_ms ?? 0)
  const pause_ms = Math.max(wanted_ms, (longest_ms * (1 + random)) / 2)
  return waited_ms + pause_ms <= waited_ms_max && pause_ms < left_ms ? pause_ms : null
}

/** Reads `Retry-After`, which is a number of seconds or an HTTP date. Returns null without a valid one. */
export function readRetryAfter(value: string | undefined, now_ms: number): number | null {
  if (value === undefined) return null
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const at_ms = Date.parse(value)
  // Other formats that Date.parse accepts are not dates of HTTP.
  return Number.isNaN(at_ms) || !/[A-Za-z]{3}/.test(value) ? null : Math.max(0, at_ms - now_ms)
}
