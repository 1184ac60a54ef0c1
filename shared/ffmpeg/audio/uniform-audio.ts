import type { FfmpegInput, FfmpegStep } from '../../planning/steps.ts'
import { MONO_TO_STEREO } from './stereo.ts'

/**
 * Broadcasts change their sound on the way: stereo, then 5.1, or another rate. ffmpeg would begin the whole
 * graph anew, and with it all times in it. With this option of the input it fails instead, and the sound is
 * brought into one form before all else, which files with one form don't pay for.
 */
export const FIXED_AUDIO_GRAPH = ['-reinit_filter:a', '0']

/** A moment from nought on: without it the file's times would begin with its first sound. */
const SILENT_START = 'anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=0.1[start]'

/** Where the sound is in the file of an uniformAudioStep. */
export const UNIFORM_AUDIO_TRACK = 1

/** Writes a sound track of a file in one form, at the times that it has there. */
export function uniformAudioStep(file: string, track: number): FfmpegStep {
  const form = ['-ar', '48000', '-ac', '2', '-c:a', 'pcm_s16le']
  return {
    kind: 'ffmpeg',
    inputs: [{ file, options: [] }],
    filter_graph: SILENT_START,
    output: {
      file: uniformAudioFile(file, track),
      options: ['-map', '[start]', '-map', `0:${track}`, ...form],
    },
    output_duration_seconds: null,
  }
}

function uniformAudioFile(file: string, track: number): string {
  return `uniform-${file}-${track}.mka`
}

/** What has to be written for withUniformAudio. */
export function uniformAudioSteps({ inputs, audio_tracks = [] }: FfmpegStep): FfmpegStep[] {
  const [first] = inputs
  return first === undefined ? [] : audio_tracks.map((track) => uniformAudioStep(first.file, track))
}

/** A step whose graph takes the sound of its first input from the files of uniformAudioSteps. */
export function withUniformAudio(step: FfmpegStep): FfmpegStep {
  return readUniformAudio(step, step.audio_tracks ?? [])
}

function readUniformAudio<StepInputs extends NonNullable<FfmpegStep['fallback']>>(
  step_inputs: StepInputs,
  tracks: readonly number[],
): StepInputs {
  const { fallback } = step_inputs
  return {
    ...step_inputs,
    ...replaceAudioTracks(step_inputs, tracks),
    ...(fallback && { fallback: readUniformAudio(fallback, tracks) }),
  }
}

function replaceAudioTracks(
  { inputs, filter_graph }: Pick<FfmpegStep, 'inputs' | 'filter_graph'>,
  tracks: readonly number[],
): { inputs: FfmpegInput[]; filter_graph: string | null } {
  const [first] = inputs
  if (first === undefined || filter_graph === null) return { inputs, filter_graph }
  return {
    inputs: [...inputs, ...tracks.map((track) => ({ ...first, file: uniformAudioFile(first.file, track) }))],
    filter_graph: tracks.reduce((graph, track, position) => {
      const uniform = `[${inputs.length + position}:${UNIFORM_AUDIO_TRACK}]`
      // The file of the even step is stereo, also where the track begins in mono.
      return graph
        .replaceAll(`[0:${track}]${MONO_TO_STEREO}`, `${uniform}anull`)
        .replaceAll(`[0:${track}]`, uniform)
    }, filter_graph),
  }
}
