import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodedSize, ffmpegSeconds, pictureFilters, sourceFilters } from './filters.ts'
import { sampleProbe } from './sample-facts.ts'

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

test('encoded sizes are even, within the cap and true to the aspect', () => {
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

test('seconds reach ffmpeg as plain decimals', () => {
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

test('only interlaced pictures are deinterlaced, and only HDR ones are tone-mapped', () => {
  const size = { width: 640, height: 360 }
  const { video } = sampleProbe({}, { color_space: 'bt709', color_transfer: 'bt709' })
  expect(pictureFilters(video, size)).toBe('scale=640:360,setsar=1')
  expect(pictureFilters({ ...video, interlaced: true }, size)).toMatch(/^bwdif=mode=send_frame,scale=/)
  for (const transfer of ['smpte2084', 'arib-std-b67']) {
    const filters = pictureFilters({ ...video, color_space: null, color_transfer: transfer }, size)
    expect(filters).toContain(`transferin=${transfer}`)
    expect(filters).not.toContain('setparams')
    expect(filters).toMatch(/tonemap.*,format=yuv420p,setsar=1$/)
  }
})

test('a picture whose colours nobody told is tagged by its own size, before it is scaled', () => {
  const filters = (width: number, height: number, more = {}) =>
    pictureFilters(sampleProbe({}, { width, height, ...more }).video, { width: 320, height: 180 })
  expect(filters(1280, 720)).toMatch(/^setparams=\S*colorspace=bt709,scale=320:180,/)
  expect(filters(720, 576)).toMatch(/^setparams=\S*colorspace=smpte170m,scale=320:180,/)
  expect(filters(1280, 720, { pixel_format: 'gbrp' })).toBe('scale=320:180,setsar=1')
})

test('the source is brought to what screens show: range, colours and tags', () => {
  const video = { width: 640, height: 360, interlaced: false, pixel_format: 'yuv420p', color_transfer: null }
  expect(sourceFilters({ ...video, color_space: 'bt709' })).toEqual([
    'scale=640:360:out_range=tv',
    'setsar=1',
  ])
  const tags = (size: { width: number; height: number }) => sourceFilters({ ...video, ...size }).at(-1)
  expect(tags({ width: 720, height: 576 })).toBe(
    'setparams=color_primaries=smpte170m:color_trc=smpte170m:colorspace=smpte170m',
  )
  expect(tags({ width: 720, height: 1280 })).toMatch(/colorspace=bt709$/)
  expect(sourceFilters({ ...video, pixel_format: 'yuvj420p', color_space: 'bt709' })).toContain(
    'format=yuv420p',
  )
  const rgb = sourceFilters({ ...video, pixel_format: 'gbrp', color_space: 'gbr' })
  expect(rgb[0]).toBe('scale=640:360:out_range=tv:out_color_matrix=bt709')
  expect(rgb.at(-1)).toMatch(/colorspace=bt709$/)
})
