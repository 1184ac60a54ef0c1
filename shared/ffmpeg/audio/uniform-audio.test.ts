import { expect, test } from 'vitest'
import type { FfmpegStep } from '../../planning/steps.ts'
import { MONO_TO_STEREO } from './stereo.ts'
import { FIXED_AUDIO_GRAPH, uniformAudioSteps, withUniformAudio } from './uniform-audio.ts'

const source = { file: 'source', options: [...FIXED_AUDIO_GRAPH, '-ss', '20'] }
const STEP: FfmpegStep = {
  kind: 'ffmpeg',
  inputs: [source, { file: 'logo', options: [] }],
  filter_graph: '[0:0]hflip[video];[0:1]anull[audio1];[0:12]anull[audio12]',
  fallback: { inputs: [{ file: 'source', options: [] }], filter_graph: '[0:1]anull[audio1]' },
  output: { file: 'out.mp4', options: [] },
  audio_tracks: [1, 12],
  output_duration_seconds: 10,
}

test('converts each track to one format and reads the converted file', () => {
  expect(uniformAudioSteps(STEP).map(({ output: { file } }) => file)).toEqual([
    'uniform-source-1.mka',
    'uniform-source-12.mka',
  ])
  expect(withUniformAudio(STEP)).toMatchObject({
    inputs: [
      ...STEP.inputs,
      { ...source, file: 'uniform-source-1.mka' },
      { ...source, file: 'uniform-source-12.mka' },
    ],
    filter_graph: '[0:0]hflip[video];[2:1]anull[audio1];[3:1]anull[audio12]',
    fallback: { filter_graph: '[1:1]anull[audio1]' },
  })
})

test('does not upmix a mono track, because its converted file is already stereo', () => {
  const mono = `[0:1]${MONO_TO_STEREO}[a];[a]volume=2[b]`
  const { filter_graph } = withUniformAudio({ ...STEP, filter_graph: mono, audio_tracks: [1] })
  expect(filter_graph).toBe('[2:1]anull[a];[a]volume=2[b]')
})

test('returns no steps for a step without audio tracks', () => {
  expect(uniformAudioSteps({ ...STEP, audio_tracks: undefined })).toEqual([])
})
