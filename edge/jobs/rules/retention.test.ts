import { expect, test } from 'vitest'
import { outlastsJob } from './retention.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = 1_800_000_000_000

/** The retention of this owner's files is one day. */
test.each([
  ['just created', 0, 24, true],
  ['in the last minute of its retention, which the submission extends', 24, 1 / 60, true],
  ['an hour before its retention reaches the maximum extension', 29, 1, true],
  ['a minute before that maximum', 29.9, 1 / 60, false],
  ['promised for longer, because its owner had a plan', 100, 68, true],
  ['that has expired', 1, -1 / 60, false],
])('a file %s outlasts a job or not', (_name, age_hours, left_hours, outlasts) => {
  const file = { made_at: NOW - age_hours * HOUR_MS, expires_at: NOW + left_hours * HOUR_MS }
  expect(outlastsJob(file, 24 * HOUR_MS, NOW)).toBe(outlasts)
})
