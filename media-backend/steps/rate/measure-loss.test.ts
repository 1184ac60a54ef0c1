import { expect, test } from 'vitest'
import { measureLoss } from './measure-loss.ts'

const SIZE = { width: 32, height: 24 }

/** Vertical stripes with this contrast. */
function stripes(contrast: number): Uint8Array {
  return Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) => (at % 8 < 4 ? 128 : 128 + contrast))
}

test('an identical frame loses nothing', () => {
  expect(measureLoss(stripes(40), stripes(40), SIZE)).toBe(0)
})

test('the loss grows as edges fade', () => {
  const losses = [36, 24, 8].map((contrast) => measureLoss(stripes(40), stripes(contrast), SIZE) ?? 0)
  expect(losses).toEqual([...losses].sort((one, other) => one - other))
  expect(losses[0]).toBeGreaterThan(0)
})

test('a frame without detail says nothing', () => {
  expect(measureLoss(stripes(0), stripes(40), SIZE)).toBeNull()
})
