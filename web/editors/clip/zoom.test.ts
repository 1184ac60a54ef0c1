import { expect, test } from 'vitest'
import { zoomMax } from './zoom.ts'

test.each([
  [1, 1],
  [150, 1],
  [151, 2],
  [1500, 16],
  [216_000, 128],
])('a video of %d frames can be zoomed %d times', (frames, zoom) => {
  expect(zoomMax(frames)).toBe(zoom)
})
