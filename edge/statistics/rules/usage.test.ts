import { describe, expect, test } from 'vitest'
import { dateOf, dayOf } from '../../platform/rules/days.ts'
import { averageSeconds, countWebhooks, loggedPath, pointsOf } from './usage.ts'

const sums = {
  submissions: 2,
  done: 1,
  failed: 0,
  canceled: 0,
  spent: 5,
  refunded: 2,
  processing_ms: 0,
  measured: 0,
}

test.each([
  [0, 0, '1970-01-01'],
  [Date.parse('2026-11-20T00:00:00.000Z'), 20_777, '2026-11-20'],
  [Date.parse('2026-11-20T23:59:59.999Z'), 20_777, '2026-11-20'],
  [Date.parse('2028-02-29T12:00:00Z'), 21_243, '2028-02-29'],
])('%d is day %d, %s', (time, day, date) => {
  expect([dayOf(time), dateOf(dayOf(time))]).toEqual([day, date])
})

test('points fill the window that ends today, whichever days have data', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const day = dayOf(now)
  const points = pointsOf(
    [
      { ...sums, day: day - 1 },
      { ...sums, day: day - 5 },
    ],
    now,
    3,
  )
  expect(points).toEqual([
    { date: '2026-02-27', submissions: 0, credits: 0, done: 0, failed: 0 },
    { date: '2026-02-28', submissions: 2, credits: 3, done: 1, failed: 0 },
    { date: '2026-03-01', submissions: 0, credits: 0, done: 0, failed: 0 },
  ])
  expect(pointsOf([], now, 1)).toHaveLength(1)
})

test('there is no average without measurements', () => {
  expect(averageSeconds(sums)).toBeNull()
  expect(averageSeconds({ ...sums, processing_ms: 10_001, measured: 3 })).toBe(3.334)
})

test('webhooks are failing from the first failed attempt', () => {
  const counted = [
    { status: 'delivered' as const, tried: true, total: 4 },
    { status: 'pending' as const, tried: false, total: 8 },
    { status: 'pending' as const, tried: true, total: 2 },
    { status: 'failed' as const, tried: true, total: 1 },
  ]
  expect(countWebhooks(counted)).toEqual({ delivered: 4, failing: 3 })
  expect(countWebhooks([])).toEqual({ delivered: 0, failing: 0 })
})

describe('the logged path', () => {
  test.each([
    ['/api/v1/jobs/1', '/api/v1/jobs/:job_id', false, '/api/v1/jobs/1'],
    ['/api/v1/jobs/1', '/api/v1/jobs/:job_id', true, '/api/v1/jobs/:job_id'],
    ['/api/v1/upload-links/s3cret', '/api/v1/upload-links/:token', false, '/api/v1/upload-links/:token'],
    [
      '/api/v1/upload-links/s3cret/file',
      '/api/v1/upload-links/:token/file',
      false,
      '/api/v1/upload-links/:token/file',
    ],
    ['/api/v1/tokens/7/toggle', '/api/v1/tokens/:token_id/toggle', false, '/api/v1/tokens/7/toggle'],
    ['/api/v1/nowhere', null, true, '/api/v1/nowhere'],
    ['/api/v1//upload-links/s3cret/file/', null, true, '/api/v1/upload-links/…'],
    [`/${'x'.repeat(300)}`, null, true, `/${'x'.repeat(199)}`],
  ])('of %s for %s (anonymous: %s)', (path, pattern, isAnonymous, kept) => {
    expect(loggedPath(path, pattern, isAnonymous)).toBe(kept)
  })

  test('never contains half a surrogate pair', () => {
    expect(loggedPath(`/${'a'.repeat(198)}😀`, null, false).isWellFormed()).toBe(true)
  })
})
