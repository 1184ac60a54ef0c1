import { expect, test } from 'vitest'
import type { FfmpegStep } from '../../planning/steps.ts'
import { evenSoundSteps, STEADY_SOUND, withEvenSound } from './even-audio.ts'
import { MONO_TO_STEREO } from './stereo.ts'

const source = { file: 'source', options: [...STEADY_SOUND, '-ss', '20'] }
const STEP: FfmpegStep = {
  kind: 'ffmpeg',
  inputs: [source, { file: 'logo', options: [] }],
  filter_graph: '[0:0]hflip[picture];[0:1]anull[sound1];[0:12]anull[sound12]',
  otherwise: { inputs: [{ file: 'source', options: [] }], filter_graph: '[0:1]anull[sound1]' },
  output: { file: 'out.mp4', options: [] },
  sound_tracks: [1, 12],
  output_duration_seconds: 10,
}

test('each track is written in one form, and then read from there as the source is', () => {
  expect(evenSoundSteps(STEP).map(({ output: { file } }) => file)).toEqual([
    'even-source-1.mka',
    'even-source-12.mka',
  ])
  expect(withEvenSound(STEP)).toMatchObject({
    inputs: [
      ...STEP.inputs,
      { ...source, file: 'even-source-1.mka' },
      { ...source, file: 'even-source-12.mka' },
    ],
    filter_graph: '[0:0]hflip[picture];[2:1]anull[sound1];[3:1]anull[sound12]',
    otherwise: { filter_graph: '[1:1]anull[sound1]' },
  })
})

test('a track that begins in mono is stereo in its file, and is not mixed from one channel', () => {
  const mono = `[0:1]${MONO_TO_STEREO}[a];[a]volume=2[b]`
  const { filter_graph } = withEvenSound({ ...STEP, filter_graph: mono, sound_tracks: [1] })
  expect(filter_graph).toBe('[2:1]anull[a];[a]volume=2[b]')
})

test('a step without sound of its own has nothing to write', () => {
  expect(evenSoundSteps({ ...STEP, sound_tracks: undefined })).toEqual([])
})
