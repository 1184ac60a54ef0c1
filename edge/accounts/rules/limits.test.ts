import { describe, expect, test } from 'vitest'
import { OVERDUE_PRIORITY_MAX } from '../../jobs/rules/queue-priority.ts'
import { settingsFrom } from '../../settings/rules/settings.ts'
import { keyPolicy, limitsOf, rateLimitHeaders, requestPolicies } from './limits.ts'

const settings = settingsFrom({})
const plan = {
  priority: 2,
  requests_per_minute: 400,
  requests_per_day: 9000,
  in_flight_max: 50,
  throttled: false,
}

describe('request and job limits', () => {
  test.each([
    ['anonymous', 30, 2, 200],
    ['free', 60, 5, 100],
    ['paid', 300, 20, 10],
  ] as const)(
    '%s callers: %i requests per minute, %i jobs at once, priority %i',
    (tier, minute, jobs, priority) => {
      expect(limitsOf(settings, tier)).toMatchObject({
        requests_per_minute: minute,
        in_flight_max: jobs,
        priority,
        hold_ms: 0,
      })
    },
  )

  test('a plan sets its own limits', () => {
    expect(limitsOf(settings, 'paid', plan)).toEqual({
      requests_per_minute: 400,
      requests_per_day: 9000,
      in_flight_max: 50,
      priority: 20,
      hold_ms: 0,
    })
  })

  test('throttled plans are held, and their priority is never worse than that of free jobs', () => {
    const { hold_ms, priority } = limitsOf(settings, 'paid', { ...plan, throttled: true, priority: 1000 })
    expect(hold_ms).toBe(20_000)
    expect(priority).toBeLessThan(limitsOf(settings, 'free').priority)
    expect(limitsOf(settings, 'paid', { ...plan, priority: 0 }).priority).toBeGreaterThan(
      OVERDUE_PRIORITY_MAX,
    )
  })

  test('free jobs are held when the setting says so; paid ones never are', () => {
    const held = settingsFrom({ free_jobs_held: true, queue_hold_seconds: 5 })
    const holds = (['anonymous', 'free', 'paid'] as const).map((tier) => limitsOf(held, tier).hold_ms)
    expect(holds).toEqual([5000, 5000, 0])
  })
})

test('the daily limit of a key is its own, or the service default', () => {
  expect(keyPolicy(settings, { id: 7, max_per_day: 0 })).toMatchObject({ limit: 5000, counter: 'key-day:7' })
  expect(keyPolicy(settings, { id: 7, max_per_day: 12 })).toMatchObject({ limit: 12 })
})

test('the headers are structured field lists', () => {
  const standings = requestPolicies(limitsOf(settings, 'free')).map((policy, index) => ({
    policy,
    remaining: 10 + index,
    reset_seconds: 5,
  }))
  expect(rateLimitHeaders(standings)).toEqual({
    'RateLimit-Policy': '"minute";q=60;w=60, "day";q=50000;w=86400',
    RateLimit: '"minute";r=10;t=5, "day";r=11;t=5',
  })
})
