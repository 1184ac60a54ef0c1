import { expect, test } from 'vitest'
import { summaryTimes, unsubscribeUrl } from './preferences.ts'

test.each([
  ['2027-03-01T06:59:59Z', '2027-03-01T07:00:00.000Z'],
  ['2027-03-01T07:00:00Z', '2027-03-02T07:00:00.000Z'],
  ['2027-12-31T23:00:00Z', '2028-01-01T07:00:00.000Z'],
])('a job that finishes at %s is in the daily summary of %s', (now, daily) => {
  expect(new Date(summaryTimes(Date.parse(now)).daily).toISOString()).toBe(daily)
})

test('job reports wait two minutes for further jobs', () => {
  expect(summaryTimes(1000).each).toBe(121_000)
})

test('an unsubscribe link names its topic', () => {
  expect(unsubscribeUrl('https://media.example.com', 'token', 'news')).toBe(
    'https://media.example.com/unsubscribe/token/news',
  )
})
