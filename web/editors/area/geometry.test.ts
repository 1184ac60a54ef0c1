import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circle } from '../../../shared/operations/image/circle.ts'
import { type Area, areaOf, largestArea, type Size, shareOf, squareOf, zoomTo } from './geometry.ts'

const size = { width: 900, height: 600 }
const area = { left: 100, top: 100, width: 300, height: 200 }

const side = fc.integer({ min: 20, max: 8000 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

const percentOf = ({ left, top, width, height }: Area, whole: Size) => ({
  x: (left / whole.width) * 100,
  y: (top / whole.height) * 100,
  width: (width / whole.width) * 100,
  height: (height / whole.height) * 100,
})

test('an area of whole pixels is the same area in percent', () => {
  fc.assert(
    fc.property(side, side, share, share, share, (width, height, left, right, top) => {
      const [first = 0, last = 0] = [left, right]
        .map((at) => Math.floor(at * (width - 1)))
        .toSorted((a, b) => a - b)
      const area = { left: first, top: Math.floor(top * (height - 1)), width: last - first + 1, height: 1 }
      expect(areaOf(percentOf(area, { width, height }), { width, height })).toEqual(area)
    }),
    { seed: 17, numRuns: 300 },
  )
})

test.each([
  [
    'the right edge stays when the left one moves',
    { ...area, left: 110.4, width: 289.6 },
    { left: 110, width: 290 },
  ],
  ['the size stays when the area moves', { ...area, left: 110.6 }, { left: 111, width: 300 }],
  ['a pixel is left', { ...area, left: 399.9, width: 0 }, { left: 400, width: 1 }],
  ['the area stays within the picture', { ...area, left: 900, width: 0 }, { left: 899, width: 1 }],
])('%s', (_, moved, expected) => {
  expect(areaOf(percentOf(moved, size), size)).toEqual({ ...area, ...expected })
})

test('zoom and offsets select every square exactly, by the rules of the service', () => {
  fc.assert(
    fc.property(
      side,
      side,
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      share,
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
