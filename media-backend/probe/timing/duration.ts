import { watchFfmpeg } from '../../runtime/ffmpeg.ts'
import { guardedInput, PROGRESS } from '../../runtime/ffmpeg-command.ts'
import type { Run } from '../../runtime/run.ts'
import { mayRestart } from './clock.ts'
import { sampleClocks } from './clock-samples.ts'
import { countEnds } from './count-ends.ts'
import type { DeclaredTimes } from './declared-times.ts'
import { isTruncated } from './truncation.ts'

/** Counted durations include the last packet; declared ones may not. */
const TOLERANCE_SECONDS = 0.5

export interface Duration {
  duration_seconds: number
  clock_restarts?: true
  missing_seconds?: number
}

/**
 * Measures the duration of a file. Counts packets if the header declares no duration (0), as in browser recordings;
 * if the clock of a broadcast may restart between its first and last values; or if the file is truncated.
 */
export async function measureDuration(
  path: string,
  declared: {
    container: string
    size_bytes?: number | undefined
    declared_seconds: number
    times: DeclaredTimes
  },
  run: Run,
): Promise<Duration> {
  const { declared_seconds, size_bytes = 0, times } = declared
  if (declared_seconds === 0) return { duration_seconds: await countDuration(path, run) }
  if (size_bytes > 0 && (await isTruncated(path, size_bytes, run)))
    return measureRest(path, declared_seconds, times, run)
  const pieces = await sampleClocks(path, declared, run)
  if (pieces.length === 0 || !mayRestart(pieces, declared_seconds))
    return { duration_seconds: declared_seconds }
  const counted_seconds = await countDuration(path, run)
  if (Math.abs(counted_seconds - declared_seconds) < TOLERANCE_SECONDS)
    return { duration_seconds: declared_seconds }
  return { duration_seconds: counted_seconds, clock_restarts: true }
}

/** Measures what is left of a truncated file. */
async function measureRest(
  path: string,
  declared_seconds: number,
  times: DeclaredTimes,
  run: Run,
): Promise<Duration> {
  const played = times.tracks.filter(({ is_played }) => is_played).map(({ index }) => index)
  const ends = await countEnds(path, played, run)
  const duration_seconds = Number((Math.max(0, ...(ends?.values() ?? [])) - times.start_seconds).toFixed(3))
  const missing_seconds = Number((declared_seconds - duration_seconds).toFixed(3))
  const is_short = duration_seconds > 0 && missing_seconds > TOLERANCE_SECONDS
  return is_short ? { duration_seconds, missing_seconds } : { duration_seconds: declared_seconds }
}

/**
 * Determines the duration by reading the file with ffmpeg, without decoding.
 * @throws JobFailure or Error like watchFfmpeg, because a file that cannot be read to its end may have any
 * duration.
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
      reportSeconds: (written) => {
        seconds = written
      },
    },
  )
  return seconds
}
