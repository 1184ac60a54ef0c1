export const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the number of days since 1970 in UTC, which is the key of daily totals. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

/** Formats a day, such as `2026-11-20`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
