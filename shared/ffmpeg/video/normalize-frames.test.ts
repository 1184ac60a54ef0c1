import { expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { normalizeFrames } from './normalize-frames.ts'

const stored = { width: 720, height: 576, sample_aspect_ratio: 16 / 15 }

test('scales frames of another size to the size of the first', () => {
  expect(normalizeFrames(sampleProbe({}, { stored }))).toEqual({
    options: ['-noautorotate', '-reinit_filter:v', '0'],
    filters: ['scale=720:576:interl=-1'],
    sinks: [],
  })
})

test.each([
  [sampleProbe({ container: 'mpegts' }, { stored })],
  [sampleProbe({ container: 'matroska,webm' }, { stored, codec: 'vp8' })],
])('pads frames instead of stretching them in formats whose frame size often changes', (probe) => {
  expect(normalizeFrames(probe).filters).toEqual([
    "scale=w='round(720*min(1,dar/1.333333333))':h='round(576*min(1,1.333333333/dar))':eval=frame:interl=-1",
    'pad=720:576:-1:-1:eval=frame',
  ])
})

test.each([
  [{ rotation_degrees: 90 }, ['transpose=clock']],
  [{ rotation_degrees: 180 }, ['hflip', 'vflip']],
  [{ rotation_degrees: 270 }, ['transpose=cclock']],
  [{ mirrored: true }, ['vflip']],
  [{ rotation_degrees: 90, mirrored: true }, ['vflip', 'transpose=clock']],
] as const)('rotates by %j after all frames have one size', (rotation, filters) => {
  const normalization = normalizeFrames(sampleProbe({}, { stored, ...rotation }))
  expect(normalization.filters[0]).toMatch(/^scale=w='round/)
  expect(normalization.filters.slice(2)).toEqual([...filters, 'sidedata=mode=delete:type=DISPLAYMATRIX'])
  expect(normalization.sinks).toEqual(['[0:0]nullsink'])
})

test('drops decoded frames that an edit list hides at the start', () => {
  const hidden = { ...sampleProbe({}, { stored }), hides_start: true as const }
  expect(normalizeFrames(hidden).filters).toEqual(["select='gte(t,-0.001)'", 'scale=720:576:interl=-1'])
})

test('leaves video that was not probed unchanged', () => {
  expect(normalizeFrames(sampleProbe())).toEqual({ options: [], filters: [], sinks: [] })
})

test.each([
  ['yuv420p', 'pad=642:360:-1:-1:eval=frame'],
  ['yuvj411p', 'pad=644:360:-1:-1:eval=frame'],
  ['yuv410p', 'pad=644:360:-1:-1:eval=frame'],
])('rounds an odd canvas in %s up to whole chroma samples', (pixel_format, pad) => {
  const odd = { width: 641, height: 359, sample_aspect_ratio: 1 }
  const normalization = normalizeFrames(sampleProbe({}, { stored: odd, codec: 'vp9', pixel_format }))
  expect(normalization.filters[1]).toBe(pad)
})
