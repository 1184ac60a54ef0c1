import { expect, test } from 'vitest'
import { sampleProbe } from '../sample-facts.ts'
import { steadyPicture } from './steady.ts'

const stored = { width: 720, height: 576, sample_aspect_ratio: 16 / 15 }

test('a frame of another size becomes as large as the first', () => {
  expect(steadyPicture(sampleProbe({}, { stored }))).toEqual({
    options: ['-reinit_filter:v', '0'],
    filters: ['scale=720:576:interl=-1'],
  })
})

test.each([
  [sampleProbe({ container: 'mpegts' }, { stored })],
  [sampleProbe({ container: 'matroska,webm' }, { stored, codec: 'vp8' })],
])('in what often changes its size it gets bars instead of another shape', (probe) => {
  expect(steadyPicture(probe).filters).toEqual([
    "scale=w='round(720*min(1,dar/1.333333333))':h='round(576*min(1,1.333333333/dar))':eval=frame:interl=-1",
    'pad=720:576:-1:-1:eval=frame',
  ])
})

test('what ffmpeg turns first, and what nobody looked at, stays as it is', () => {
  const nothing = { options: [], filters: [] }
  expect(steadyPicture(sampleProbe({}, { stored, rotation_degrees: 90 }))).toEqual(nothing)
  expect(steadyPicture(sampleProbe())).toEqual(nothing)
})
