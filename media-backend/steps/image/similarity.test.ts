import { expect, test } from 'vitest'
import { measureSimilarity } from './similarity.ts'

const SIZE = { width: 32, height: 24 }
const ramp = Uint8Array.from({ length: 32 * 24 }, (_, index) => 40 + 5 * (index % 32))
const noise = (amplitude: number) => ramp.map((level, index) => level + (index % 3 === 0 ? amplitude : 0))

test('identical images have a similarity of 1, more noise a lower one', () => {
  expect(measureSimilarity(ramp, ramp, SIZE)).toBe(1)
  const [little, much] = [measureSimilarity(ramp, noise(4), SIZE), measureSimilarity(ramp, noise(30), SIZE)]
  expect(little).toBeLessThan(1)
  expect(much).toBeLessThan(little)
  expect(
    measureSimilarity(
      ramp,
      ramp.map((level) => 255 - level),
      SIZE,
    ),
  ).toBeLessThan(0)
})

test('an image smaller than a window is similar', () => {
  expect(measureSimilarity(ramp, noise(30), { width: 7, height: 7 })).toBe(1)
})
