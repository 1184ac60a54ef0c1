import { expect, test } from 'vitest'
import { waitInWords } from './wait.ts'

test.each([
  [1, '1 second'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [90 * 60, '90 minutes'],
  [90 * 60 + 1, '2 hours'],
  [1436 * 60, '24 hours'],
])('%i s are %s', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})
