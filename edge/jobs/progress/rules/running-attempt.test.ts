import { describe, expect, test } from 'vitest'
import {
  applyBeat,
  CHECK_MS,
  confirmBeat,
  isStoreDue,
  judgeBeat,
  type RunningAttempt,
  STORE_MS,
} from './running-attempt.ts'

const NOW = 1_000_000
const KNOWN: RunningAttempt = { fence: 1002, progress: 40, heard_at: NOW, checked_at: NOW, stored_at: NOW }

describe('judgeBeat', () => {
  test.each([
    ['nothing is known', undefined, 1002, 0, 'unknown'],
    ['the same attempt reports', KNOWN, 1002, 0, 'accept'],
    ['an earlier attempt reports', KNOWN, 1001, 0, 'superseded'],
    ['a later attempt reports', KNOWN, 1003, 0, 'unknown'],
    ['the database was last asked just now', KNOWN, 1002, CHECK_MS, 'accept'],
    ['the database was not asked for long', KNOWN, 1002, CHECK_MS + 1, 'unknown'],
  ] as const)('when %s', (_name, known, fence, age_ms, verdict) => {
    expect(judgeBeat(known, { fence, progress: 50 }, NOW + age_ms)).toBe(verdict)
  })
})

test('progress never decreases within an attempt and starts again with the next one', () => {
  expect(applyBeat(KNOWN, { fence: 1002, progress: 30 }, NOW + 5)).toMatchObject({
    progress: 40,
    heard_at: NOW + 5,
  })
  expect(confirmBeat(KNOWN, { fence: 1002, progress: 60 }, NOW + 5)).toMatchObject({
    progress: 60,
    checked_at: NOW + 5,
  })
  expect(confirmBeat(KNOWN, { fence: 2001, progress: 1 }, NOW + 5)).toMatchObject({
    fence: 2001,
    progress: 1,
  })
  expect(confirmBeat(KNOWN, { fence: 1001, progress: 99 }, NOW + 5)).toBe(KNOWN)
})

test('a state is stored at once when it is new, and then at most every STORE_MS', () => {
  expect(isStoreDue(confirmBeat(undefined, { fence: 1001, progress: 0 }, NOW))).toBe(true)
  expect(isStoreDue(applyBeat(KNOWN, { fence: 1002, progress: 50 }, NOW + STORE_MS - 1))).toBe(false)
  expect(isStoreDue(applyBeat(KNOWN, { fence: 1002, progress: 50 }, NOW + STORE_MS))).toBe(true)
})
