import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodedSize, ffmpegSeconds } from './filters.ts'

test.each([
  [1920, 1080, 1920, 1080],
  [3840, 2160, 1920, 1080],
  [2160, 3840, 1080, 1920],
  [640, 359, 640, 360],
  [641, 359, 642, 360],
  [1, 1, 2, 2],
  [20_000, 100, 4096, 20],
])('%i x %i is encoded as %i x %i', (width, height, encoded_width, encoded_height) => {
  expect(encodedSize({ width, height })).toEqual({ width: encoded_width, height: encoded_height })
})

test('encoded sizes are even, within the maximum, and keep the aspect ratio', () => {
  const side = fc.integer({ min: 1, max: 16_384 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const size = encodedSize({ width, height })
      expect([size.width % 2, size.height % 2]).toEqual([0, 0])
      expect(Math.min(size.width, size.height)).toBeLessThanOrEqual(1080)
      expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(4096)
      const scale = Math.min(1, 1080 / Math.min(width, height), 4096 / Math.max(width, height))
      expect(Math.abs(size.width - width * scale)).toBeLessThanOrEqual(2)
      expect(Math.abs(size.height - height * scale)).toBeLessThanOrEqual(2)
    }),
    { seed: 1 },
  )
})

test('formats seconds as plain decimals', () => {
  expect([0, 5, 0.1, 1e-7, 1 / 3, 10_800, 100].map(ffmpegSeconds)).toEqual([
    ...['0', '5', '0.1', '0', '0.333333', '10800', '100'],
  ])
  const seconds = fc.double({ min: 0, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(seconds, (value) => {
      expect(ffmpegSeconds(value)).toMatch(/^\d+(\.\d{0,5}[1-9])?$/)
      expect(Math.abs(Number(ffmpegSeconds(value)) - value)).toBeLessThanOrEqual(1e-6)
    }),
    { seed: 1 },
  )
})
