import { existsSync } from 'node:fs'
import { unpackedTrack, unpackTrackStep } from '../../shared/ffmpeg/audio/packed-audio.ts'
import {
  FIXED_AUDIO_GRAPH,
  UNIFORM_AUDIO_TRACK,
  uniformAudioStep,
} from '../../shared/ffmpeg/audio/uniform-audio.ts'
import type { AudioTrack } from '../../shared/planning/facts.ts'
import { type FfmpegInput, SOURCE } from '../../shared/planning/steps.ts'
import { AudioFormatChange, runFfmpeg } from './ffmpeg.ts'
import { guardedInput } from './ffmpeg-command.ts'
import { fileIn } from './folder.ts'
import type { Run } from './run.ts'

/**
 * Runs `read` on an audio track of the job's input. If the format of the track changes midway, converts it to
 * stereo in one format first. If the track packs several frames into a sample, converts it to a raw stream first.
 */
export async function readAudioTrack<T>(
  track: AudioTrack,
  run: Run,
  read: (input: readonly string[], form: 'as_it_is' | 'stereo') => Promise<T>,
): Promise<T> {
  if (track.packed !== undefined) {
    await runFfmpeg(unpackTrackStep(track.index), run, () => {})
    return read(openTrack(unpackedTrack(track), 0, run), 'as_it_is')
  }
  const { index } = track
  const even = uniformAudioStep(SOURCE, index)
  const is_written = existsSync(fileIn(run.folder, even.output.file))
  if (!is_written) {
    try {
      return await read(openTrack({ file: SOURCE, options: [] }, index, run), 'as_it_is')
    } catch (error) {
      if (!(error instanceof AudioFormatChange)) throw error
    }
    await runFfmpeg(even, run, () => {})
  }
  return read(openTrack({ file: even.output.file, options: [] }, UNIFORM_AUDIO_TRACK, run), 'stereo')
}

function openTrack({ file, options }: FfmpegInput, index: number, run: Run): string[] {
  const { guard, url } = guardedInput(fileIn(run.folder, file), run)
  return [...guard, ...FIXED_AUDIO_GRAPH, ...options, '-i', url, '-map', `0:${index}`]
}
