import { expect, test } from 'vitest'
import { pauseBeforeRetry, readRetryAfter } from './retry-pause.ts'

const NOW_MS = Date.parse('2026-11-28T10:00:00Z')

test.each([
  ['0', 0],
  [' 120 ', 120_000],
  ['Sat, 28 Nov 2026 10:00:30 GMT', 30_000],
  ['Sat, 28 Nov 2026 09:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['2026-11-28', null],
  [undefined, null],
])('reads Retry-After: %s', (value, wanted_ms) => {
  expect(readRetryAfter(value, NOW_MS)).toBe(wanted_ms)
})

const FAILED = {
  ...{ failures: 1, waited_ms: 0, waited_ms_max: 1e6, left_ms: 1e6, retry_after_ms: null, random: 1 },
}

test('pauses double up to a limit, and half of each is random', () => {
  const pauses = [1, 2, 3, 6, 7].map((failures) => pauseBeforeRetry({ ...FAILED, failures }))
  expect(pauses).toEqual([500, 1000, 2000, 16_000, 30_000])
  expect(pauseBeforeRetry({ ...FAILED, failures: 3, random: 0 })).toBe(1000)
})

test.each([
  [5000, 5000],
  [100, 500],
  [3_600_000, 60_000],
])('pauses for a server that asks for %i ms', (retry_after_ms, pause_ms) => {
  expect(pauseBeforeRetry({ ...FAILED, retry_after_ms })).toBe(pause_ms)
})

test.each([
  { failures: 8 },
  { waited_ms: 999_501 },
  { left_ms: 500 },
  { retry_after_ms: 60_000, left_ms: 60_000 },
])('ends after %j', (given) => {
  expect(pauseBeforeRetry({ ...FAILED, ...given })).toBeNull()
})
