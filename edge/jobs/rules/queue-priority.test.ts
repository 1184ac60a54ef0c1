import { describe, expect, test } from 'vitest'
import { limitsOf } from '../../accounts/rules/limits.ts'
import { settingsFrom } from '../../settings/rules/settings.ts'
import { OVERDUE_PRIORITY_MAX, overduePriority, queuePriority } from './queue-priority.ts'

const settings = settingsFrom({})
const planLimits = { requests_per_minute: 1, requests_per_day: 1, in_flight_max: 200, throttled: false }
const BASES = [
  ...[0, 1, 2, 9, 10, 100].map(
    (priority) => limitsOf(settings, 'paid', { ...planLimits, priority }).priority,
  ),
  limitsOf(settings, 'free').priority,
  limitsOf(settings, 'anonymous').priority,
]

describe('queue priority', () => {
  test.each([
    [100, 0, 100],
    [100, 1, 101],
    [100, 4, 104],
    [200, 1, 201],
    [10, 8, 18],
    [10, 199, 18],
  ])('with base %i and %i open jobs is %i', (base, open, priority) => {
    expect(queuePriority(base, open)).toBe(priority)
  })

  test('places the first job of a caller before any second job of the same tier', () => {
    for (const base of BASES) expect(queuePriority(base, 0)).toBeLessThan(queuePriority(base, 1))
  })

  test('never places a job behind jobs of a lower tier', () => {
    const sorted = [...new Set(BASES)].sort((one, other) => one - other)
    for (const [index, base] of sorted.slice(0, -1).entries())
      expect(queuePriority(base, 1000)).toBeLessThan(sorted[index + 1] ?? 0)
  })
})

describe('overdue priority', () => {
  test("comes before every job that is not overdue, and keeps the order of a caller's jobs", () => {
    for (const base of BASES) {
      const overdue = [0, 1, 5, 8, 300].map((open) => overduePriority(queuePriority(base, open)))
      expect(overdue).toEqual([1, 2, 6, 9, 9])
      expect(overdue.map(overduePriority)).toEqual(overdue)
      expect(OVERDUE_PRIORITY_MAX).toBeLessThan(queuePriority(base, 0))
    }
  })
})
