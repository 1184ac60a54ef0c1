import { expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { frameFilters, sourceFilters } from './colors.ts'

test('deinterlaces only interlaced video and tone-maps only HDR', () => {
  const size = { width: 640, height: 360 }
  const { video } = sampleProbe({}, { color_space: 'bt709', color_transfer: 'bt709' })
  expect(frameFilters(video, size)).toBe('scale=640:360,setsar=1')
  expect(frameFilters({ ...video, interlaced: true }, size)).toMatch(/^bwdif=mode=send_frame,scale=/)
  for (const transfer of ['smpte2084', 'arib-std-b67']) {
    const filters = frameFilters({ ...video, color_space: null, color_transfer: transfer }, size)
    expect(filters).toContain(`transferin=${transfer}`)
    expect(filters).not.toContain('setparams')
    expect(filters).toMatch(/tonemap.*,format=yuv420p,setsar=1$/)
    expect(filters).toContain('sidedata=mode=delete:type=MASTERING_DISPLAY_METADATA')
  }
})

test('tags undeclared colors by the frame size before scaling', () => {
  const filters = (width: number, height: number, more = {}) =>
    frameFilters(sampleProbe({}, { width, height, ...more }).video, { width: 320, height: 180 })
  expect(filters(1280, 720)).toMatch(/^setparams=\S*colorspace=bt709,scale=320:180,/)
  expect(filters(720, 576)).toMatch(/^setparams=\S*colorspace=smpte170m,scale=320:180,/)
  const stored = { width: 640, height: 360, sample_aspect_ratio: 2 }
  expect(filters(1280, 360, { stored })).toMatch(/^setparams=\S*colorspace=smpte170m,scale=320:180,/)
  expect(filters(1280, 720, { pixel_format: 'gbrp' })).toBe('scale=320:180,setsar=1')
})

test('converts the source to the range, color space and tags that screens expect', () => {
  const video = {
    codec: 'h264',
    width: 640,
    height: 360,
    interlaced: false,
    pixel_format: 'yuv420p',
    color_transfer: null,
  }
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
