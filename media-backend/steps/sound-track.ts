import { existsSync } from 'node:fs'
import { SOURCE } from '../../shared/operations/steps.ts'
import { EVEN_TRACK, evenSoundStep, STEADY_SOUND } from '../../shared/operations/video/even-sound.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { runFfmpeg, SoundChanges } from './ffmpeg.ts'
import { guardedInput } from './ffmpeg-command.ts'

/**
 * Runs `read` on an audio track of the job's input. A track that changes its form on the way is first written in one
 * form, which is stereo.
 */
export async function readSoundTrack<T>(
  track: number,
  run: Run,
  read: (input: readonly string[], form: 'as_it_is' | 'stereo') => Promise<T>,
): Promise<T> {
  const even = evenSoundStep(SOURCE, track)
  const is_written = existsSync(fileIn(run.folder, even.output.file))
  if (!is_written) {
    try {
      return await read(openTrack(SOURCE, track, run), 'as_it_is')
    } catch (error) {
      if (!(error instanceof SoundChanges)) throw error
    }
    await runFfmpeg(even, run, () => {})
  }
  return read(openTrack(even.output.file, EVEN_TRACK, run), 'stereo')
}

function openTrack(file: string, track: number, run: Run): string[] {
  const { guard, url } = guardedInput(fileIn(run.folder, file), run)
  return [...guard, ...STEADY_SOUND, '-i', url, '-map', `0:${track}`]
}
