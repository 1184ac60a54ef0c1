import type { FfmpegInput, FfmpegStep } from '../../planning/steps.ts'
import { MONO_TO_STEREO } from './stereo.ts'

/**
 * Broadcasts can change their audio format midway, for example from stereo to 5.1. ffmpeg would then restart the
 * whole graph and its timestamps. With this input option, it fails instead, and the audio is first converted to a
 * single format. Files with only one format avoid that cost.
 */
export const FIXED_AUDIO_GRAPH = ['-reinit_filter:a', '0']

/** A short silence that starts at zero. Without it, the file would start with the first audio of the track. */
const SILENT_START = 'anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=0.1[start]'

/** Stream index of the audio in the file that uniformAudioStep writes. */
export const UNIFORM_AUDIO_TRACK = 1

/** Converts an audio track of a file to a single format and keeps its timestamps. */
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

/** Returns the steps that must run before withUniformAudio. */
export function uniformAudioSteps({ inputs, audio_tracks = [] }: FfmpegStep): FfmpegStep[] {
  const [first] = inputs
  return first === undefined ? [] : audio_tracks.map((track) => uniformAudioStep(first.file, track))
}

/** Returns a copy of a step that reads the audio of its first input from the files that uniformAudioSteps writes. */
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
      // The uniform file is stereo, even if the track starts in mono.
      return graph
        .replaceAll(`[0:${track}]${MONO_TO_STEREO}`, `${uniform}anull`)
        .replaceAll(`[0:${track}]`, uniform)
    }, filter_graph),
  }
}
