import { DAY_MS } from '../../platform/rules/days.ts'

const QUARTER_MS = 15 * 60 * 1000
/** The offsets of all time zones from UTC: from −12 to +14 hours, in quarters of an hour. */
const ZONES_MS = Array.from({ length: 4 * 26 + 1 }, (_, index) => (index - 4 * 12) * QUARTER_MS)

/**
 * Returns when the statutory right of withdrawal ends, wherever the customer is: the latest end of its last day in any
 * time zone. The day of the payment does not count, and a period never ends on a weekend (Regulation 1182/71, art. 3).
 */
export function withdrawalDeadline(credited_at: number, days: number): number {
  return Math.max(
    ...ZONES_MS.map((offset_ms) => {
      const paid_on = Math.floor((credited_at + offset_ms) / DAY_MS)
      return (workingDayFrom(paid_on + days) + 1) * DAY_MS - offset_ms
    }),
  )
}

/** Returns the day itself, or the Monday after it if it is on a weekend. Days count from 1970-01-01, a Thursday. */
function workingDayFrom(day: number): number {
  const weekday = (day + 4) % 7
  if (weekday === 6) return day + 2
  return weekday === 0 ? day + 1 : day
}
