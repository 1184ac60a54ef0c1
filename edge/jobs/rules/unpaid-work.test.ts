import { describe, expect, test } from 'vitest'
import { HOUR_MS, type UnpaidHour, unpaidWaitSeconds } from './unpaid-work.ts'

const MINUTE_MS = 60_000
const DAY_HOURS = 24
/** A time half past the hour. */
const NOW = (500_000 + 0.5) * HOUR_MS

/** Creates unpaid work: the keys say how many hours ago it ended, the values how many minutes it took. */
function worked(minutes_by_hours_ago: Record<number, number>): UnpaidHour[] {
  return Object.entries(minutes_by_hours_ago).map(([ago, minutes]) => ({
    hour: Math.floor(NOW / HOUR_MS) - Number(ago),
    processing_ms: minutes * MINUTE_MS,
  }))
}

/** Returns the number of hours until work of the given age stops counting. */
const expires = (hours_ago: number) => DAY_HOURS - hours_ago + 0.5

describe('unpaid work', () => {
  test.each<[string, Record<number, number>, number | null]>([
    ['none', {}, null],
    ['below the limit', { 0: 30, 5: 29 }, null],
    ['the limit in one job', { 0: 60 }, expires(0)],
    ['the limit in several hours', { 0: 30, 5: 30 }, expires(5)],
    ['above the limit until the oldest hour expires', { 0: 50, 20: 15 }, expires(20)],
    ['above the limit until two hours expire', { 0: 59, 3: 5, 20: 5 }, expires(3)],
    ['far above the limit', { 0: 300, 3: 5, 20: 5 }, expires(0)],
    ['hours in any order', { 20: 15, 0: 50, 3: 1 }, expires(20)],
  ])('%s', (_what, minutes, hours) => {
    const wait = unpaidWaitSeconds(worked(minutes).reverse(), 60, NOW)
    expect(wait).toBe(hours === null ? null : hours * 3600)
  })

  test('ends exactly after the announced wait', () => {
    const hours = worked({ 0: 50, 3: 10, 20: 15 })
    const wait = unpaidWaitSeconds(hours, 60, NOW) ?? 0
    const later = NOW + wait * 1000
    const counted = hours.filter(({ hour }) => (hour + 1) * HOUR_MS > later - DAY_HOURS * HOUR_MS)
    expect(unpaidWaitSeconds(counted, 60, later)).toBeNull()
  })
})
