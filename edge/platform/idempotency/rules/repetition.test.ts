import { expect, test } from 'vitest'
import { isFinalRefusal, judgeRepetition } from './repetition.ts'

test.each([
  ['a', 1, 'answered'],
  ['a', 0, 'running'],
  ['b', 1, 'other_payload'],
  ['b', 0, 'other_payload'],
] as const)('known as %s, completed %i times: %s', (fingerprint, completions, verdict) => {
  expect(judgeRepetition({ fingerprint, completions }, 'a')).toBe(verdict)
})

test.each([
  [400, true],
  [402, false],
  [403, false],
  [404, true],
  [422, true],
  [409, false],
  [429, false],
  [500, false],
  [503, false],
])('a refusal with %i is the answer for good: %s', (status, final) => {
  expect(isFinalRefusal(status)).toBe(final)
})
