import { expect, test } from 'vitest'
import { outlastsJob } from './retention.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = 1_800_000_000_000

/** Of a file whose owner's live a day. */
test.each([
  ['that was just made', 0, 24, true],
  ['in the last minute of its own time, which the submit puts off', 24, 1 / 60, true],
  ['an hour before it has been put off for as long as it may be', 29, 1, true],
  ['a minute before', 29.9, 1 / 60, false],
  ['that was promised for longer, when its owner had a plan', 100, 68, true],
  ['that is over', 1, -1 / 60, false],
])('a file %s', (_name, age_hours, left_hours, outlasts) => {
  const file = { made_at: NOW - age_hours * HOUR_MS, expires_at: NOW + left_hours * HOUR_MS }
  expect(outlastsJob(file, 24 * HOUR_MS, NOW)).toBe(outlasts)
})
