import { secondsUntil } from '../../platform/quotas/rules/lease.ts'
import { DAY_MS } from '../../platform/rules/days.ts'

/**
 * Limits unpaid work. Failed and canceled jobs are not charged, so a caller could keep workers busy with jobs that
 * end just before they are done. The fleet refuses impossible jobs before they start. All other unpaid work counts
 * here; at the limit, new jobs have to wait. Contract: Limits, Unpaid work.
 */

export const HOUR_MS = DAY_MS / 24

/** Total processing time of the failed and canceled jobs that ended in one hour. `hour` is counted from 1970. */
export interface UnpaidHour {
  hour: number
  processing_ms: number
}

/** Returns the start of the window in which unpaid work counts. */
export function unpaidSince(now: number): number {
  return now - DAY_MS
}

/**
 * Returns null if new jobs may be submitted. Otherwise, returns the number of seconds until enough unpaid work has
 * left the 24-hour window.
 * @param hours unpaid work since `unpaidSince`, in any order.
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
