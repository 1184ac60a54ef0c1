import { secondsUntil } from '../../platform/quotas/rules/lease.ts'
import { DAY_MS } from '../../platform/rules/days.ts'

/**
 * Bounds work that nobody pays for. A failed or canceled job is never charged, so without a bound a caller could keep
 * workers busy all day with jobs that end just before they are done. The fleet refuses what cannot be done before it
 * starts; what remains counts here, and new jobs wait when it is too much. Contract: Limits, Unpaid work.
 */

export const HOUR_MS = DAY_MS / 24

/** Processing time of jobs that failed or were canceled in one hour, counted from 1970. */
export interface UnpaidHour {
  hour: number
  processing_ms: number
}

/** The time since which unpaid work counts. */
export function unpaidSince(now: number): number {
  return now - DAY_MS
}

/**
 * Returns null where new jobs may be submitted, otherwise the seconds until enough has left the last 24 hours.
 * @param hours since `unpaidSince`, in any order.
 */
export function unpaidWaitSeconds(
  hours: readonly UnpaidHour[],
  minutes_max: number,
  now: number,
): number | null {
  const limit_ms = minutes_max * 60_000
  let left_ms = hours.reduce((sum, { processing_ms }) => sum + processing_ms, 0)
  if (left_ms < limit_ms) return null
  const oldest_first = hours.toSorted((one, other) => one.hour - other.hour)
  for (const { hour, processing_ms } of oldest_first) {
    left_ms -= processing_ms
    if (left_ms < limit_ms) return secondsUntil((hour + 1) * HOUR_MS + DAY_MS, now)
  }
  return secondsUntil(now + DAY_MS, now)
}
