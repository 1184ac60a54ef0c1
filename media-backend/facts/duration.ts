import type { Run } from '../job.ts'
import { watchFfmpeg } from '../steps/ffmpeg.ts'
import { guardedInput, PROGRESS } from '../steps/ffmpeg-command.ts'
import { mayRestart } from './clock.ts'
import { sampleClocks } from './clock-samples.ts'
import { isCutOff } from './cut-off.ts'

/** What is counted ends with the last packet, what is told perhaps with the last but one. */
const TOLERANCE_SECONDS = 0.5

export interface Duration {
  duration_seconds: number
  clock_restarts?: true
  missing_seconds?: number
}

/**
 * How long a file is whose header tells this much (0: nothing, as with recordings that a browser streamed).
 * Streams that tell nothing of themselves were judged by their first and last moment: where their clock may
 * have begun anew between those, they are counted as well, and so is what there is of a file that was cut off.
 */
export async function measureDuration(
  path: string,
  told: { container: string; size_bytes?: number; told_seconds: number },
  run: Run,
): Promise<Duration> {
  const { told_seconds, size_bytes = 0 } = told
  if (told_seconds === 0) return { duration_seconds: await countDuration(path, run) }
  const pieces = await sampleClocks(path, told, run)
  const may_restart = pieces.length > 0 && mayRestart(pieces, told_seconds)
  const is_cut_off = size_bytes > 0 && (await isCutOff(path, size_bytes, run))
  if (!may_restart && !is_cut_off) return { duration_seconds: told_seconds }
  const counted_seconds = await countDuration(path, run)
  if (Math.abs(counted_seconds - told_seconds) < TOLERANCE_SECONDS) return { duration_seconds: told_seconds }
  if (!is_cut_off) return { duration_seconds: counted_seconds, clock_restarts: true }
  const missing_seconds = Number((told_seconds - counted_seconds).toFixed(3))
  return { duration_seconds: counted_seconds, ...(missing_seconds > 0 && { missing_seconds }) }
}

/**
 * ffmpeg reads it through, decoding nothing.
 * @throws JobFailure, Error as watchFfmpeg: what can't be counted is not short.
 */
async function countDuration(path: string, run: Run): Promise<number> {
  let seconds = 0
  const { guard, url } = guardedInput(path, run)
  const reading = [...guard, '-i', url, '-map', '0:v?', '-map', '0:a?', '-c', 'copy']
  await watchFfmpeg(
    ['-hide_banner', '-nostdin', '-v', 'error', ...PROGRESS, ...reading, '-f', 'null', '-'],
    run,
    {
      seconds_max: null,
      tellSeconds: (told) => {
        seconds = told
      },
    },
  )
  return seconds
}
