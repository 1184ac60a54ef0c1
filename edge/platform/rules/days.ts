export const DAY_MS = 24 * 60 * 60 * 1000

/** Days since 1970, in UTC: what sums by day are kept by. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

/** `2026-11-20` */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
