import { expect, test } from 'vitest'
import { placeSamples } from './place-samples.ts'

const TALK = [
  { start: 2, end: 6 },
  { start: 10, end: 16 },
]

test('samples are spread over the joined ranges', () => {
  expect(placeSamples(TALK, 5, 1).map(({ at }) => at)).toEqual([3, 5, 11, 13, 15])
})

test('a sample lies in one range', () => {
  expect(placeSamples(TALK, 1, 5.5)).toEqual([{ start: 10, end: 16, at: 10.5 }])
  expect(placeSamples([{ start: 2, end: 4 }], 1, 1.5)).toEqual([{ start: 2, end: 4, at: 2.5 }])
  expect(placeSamples([{ start: 2, end: 4 }], 1, 3)).toEqual([{ start: 2, end: 4, at: 2 }])
})
