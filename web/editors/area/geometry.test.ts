import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circle } from '../../../shared/operations/image/circle.ts'
import { largestArea, moveArea, resizeArea, shareOf, squareOf, zoomTo } from './geometry.ts'

const size = { width: 900, height: 600 }
const area = { left: 100, top: 100, width: 300, height: 200 }

test('moves within the picture', () => {
  expect(moveArea(area, 10.4, -20, { size })).toEqual({ ...area, left: 110, top: 80 })
  expect(moveArea(area, 9000, 9000, { size })).toEqual({ ...area, left: 600, top: 400 })
})

test.each([
  ['se', 50, 30, { left: 100, top: 100, width: 350, height: 230 }],
  ['nw', 50, 30, { left: 150, top: 130, width: 250, height: 170 }],
  ['e', 50, 30, { left: 100, top: 100, width: 350, height: 200 }],
  ['n', 50, -30, { left: 100, top: 70, width: 300, height: 230 }],
  ['nw', -5000, -5000, { left: 0, top: 0, width: 400, height: 300 }],
  ['se', -5000, -5000, { left: 100, top: 100, width: 16, height: 16 }],
] as const)('%s moves its sides only', (grip, across, down, moved) => {
  expect(resizeArea(area, grip, across, down, { size, aspect: null, min: 16 })).toEqual(moved)
})

test('keeps the aspect ratio up to the edge of the picture', () => {
  const limits = { size, aspect: 1.5, min: 16 }
  expect(resizeArea(area, 'se', 30, 0, limits)).toEqual({ ...area, width: 330, height: 220 })
  expect(resizeArea(area, 'se', 0, 40, limits)).toEqual({ ...area, width: 360, height: 240 })
  expect(resizeArea(area, 'se', 5000, 0, limits)).toEqual({ ...area, width: 750, height: 500 })
})

test('zoom and offsets select every square exactly, by the rules of the service', () => {
  const side = fc.integer({ min: 20, max: 8000 })
  fc.assert(
    fc.property(
      side,
      side,
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (width, height, scale, share) => {
        const length = Math.ceil(Math.min(width, height) * scale)
        const wanted = {
          left: Math.round((width - length) * share),
          top: Math.round((height - length) * (1 - share)),
          width: length,
          height: length,
        }
        const params = zoomTo(wanted, { width, height })
        expect(squareOf(params, { width, height })).toEqual(wanted)
        expect(circle.parameters.safeParse(params).success).toBe(true)
      },
    ),
    { seed: 11, numRuns: 300 },
  )
})

test('finds the largest area, and its share', () => {
  expect(largestArea(1, size, { x: 0.5, y: 0.5 })).toEqual({ left: 150, top: 0, width: 600, height: 600 })
  expect(largestArea(16 / 9, size, { x: 0.5, y: 1 })).toEqual({ left: 0, top: 94, width: 900, height: 506 })
  expect(shareOf(150, 300)).toBe(0.5)
  expect(shareOf(0, 0)).toBe(0.5)
})
