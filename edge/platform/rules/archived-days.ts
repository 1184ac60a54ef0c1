import { DAY_MS } from './days.ts'

/**
 * Jobs are archived this long after their end at the earliest, so lists of newer rows need no archive. Summaries of usage
 * read jobs of the last 30 days.
 */
export const ARCHIVED_DAYS_MIN = 30

/** Returns a time: the archive has only rows that were created earlier. */
export function archivedBefore(now: number): number {
  return now - ARCHIVED_DAYS_MIN * DAY_MS
}
