import { expect, test } from 'vitest'
import { chooseNext } from './image-admission.ts'

/** The size in bytes, optionally with the number of times the image was passed. */
type Sample = number | [bytes: number, times_passed: number]

const claimOf = (sample: Sample) => {
  const [bytes, times_passed] = typeof sample === 'number' ? [sample, 0] : sample
  return { bytes, times_passed }
}

test.each<[string, Sample[], Sample[], number]>([
  ['nothing waits', [], [50], -1],
  ['the first image fits', [50, 10], [50], 0],
  ['all slots are occupied', [1], [1, 1, 1, 1], -1],
  ['an image larger than the memory enters if nothing is running', [1000], [], 0],
  ['an image larger than the memory runs concurrently with small ones', [1000], [25], 0],
  ['an image larger than the memory waits while more memory is in use', [1000], [26], -1],
  ['small images run concurrently with it', [25], [1000], 0],
  ['a small image passes a large one', [1000, 1000, 25], [1000], 2],
  ['large images leave a slot for small ones', [26], [26, 26, 26], -1],
  ['a small image gets that slot', [26, 10], [26, 26, 26], 1],
  ['a large image that waited long enough is not passed by another large one', [[75, 32], 30], [60], -1],
  ['it is passed by small images that leave enough memory for it', [[75, 32], 25], [60], 1],
  ['it is not passed by small images that do not', [[75, 32], 20], [60, 10], -1],
  ['it is not passed by small images that occupy its slot', [[75, 32], 1], [60, 1, 1, 1], -1],
  ['a small image that waited long enough is not passed', [[25, 32], 1], [75, 20], -1],
  ['an image that fits and came first enters before one that waited long enough', [5, [75, 32]], [60], 0],
])('%s', (_name, waiting, inside, expected) => {
  const limits = { bytes_max: 100, places: 4 }
  expect(chooseNext(waiting.map(claimOf), inside.map(claimOf), limits)).toBe(expected)
})

test('draws one image at a time if there is a single slot', () => {
  const limits = { bytes_max: 100, places: 1 }
  expect(chooseNext([claimOf(1000)], [], limits)).toBe(0)
  expect(chooseNext([claimOf(1)], [claimOf(1000)], limits)).toBe(-1)
})
