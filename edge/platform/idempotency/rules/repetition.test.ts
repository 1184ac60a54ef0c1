import { expect, test } from 'vitest'
import { isFinalRefusal, judgeRepetition } from './repetition.ts'

test.each([
  ['a', 1, 'answered'],
  ['a', 0, 'running'],
  ['b', 1, 'other_payload'],
  ['b', 0, 'other_payload'],
] as const)(
  'a request with the fingerprint %s and %i completions is judged %s',
  (fingerprint, completions, verdict) => {
    expect(judgeRepetition({ fingerprint, completions }, 'a')).toBe(verdict)
  },
)

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
])('a refusal with %i is final: %s', (status, final) => {
  expect(isFinalRefusal(status)).toBe(final)
})
