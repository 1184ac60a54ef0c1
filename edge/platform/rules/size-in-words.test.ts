import { expect, test } from 'vitest'
import { sizeInWords } from './size-in-words.ts'

test.each([
  [1, '1 bytes'],
  [2000, '2 KB'],
  [20 * 1024 ** 2, '20 MB'],
  [1.25 * 1024 ** 3, '1.3 GB'],
])('%i bytes are written as %s', (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words)
})
