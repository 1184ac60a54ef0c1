import type { Run } from '../job.ts'
import { processLimits } from '../steps/ffmpeg.ts'
import { guardedInput } from '../steps/ffmpeg-command.ts'
import { runProcess } from '../steps/process.ts'
import type { Stream } from './ffprobe.ts'

/** Rates are averages: a file with so many seconds of frames more than it is long is looked at. */
const SUSPECT_SECONDS = 0.05
const CPU_SECONDS_MAX = 10

/** Checks whether an edit list hides the first frames of a video, as in clips that were trimmed on a phone. */
export async function hidesStart(stream: Stream, path: string, run: Run): Promise<boolean> {
  const { nb_frames, avg_frame_rate, duration } = stream
  // Other containers have no edit list, and do not count their frames like that.
  if (nb_frames == null || avg_frame_rate == null || duration == null) return false
  const is_suspect = nb_frames / avg_frame_rate > duration + SUSPECT_SECONDS
  return is_suspect && (await isFirstDiscarded(stream.index, path, run))
}

/** ffprobe flags packets that are decoded but not shown with a D. */
async function isFirstDiscarded(index: number, path: string, run: Run): Promise<boolean> {
  const { guard, url } = guardedInput(path, run)
  const read = ['-select_streams', String(index), '-read_intervals', '%+#1']
  const shown = ['-show_entries', 'packet=flags', '-of', 'csv=print_section=0']
  const { stdout } = await runProcess('ffprobe', ['-v', 'quiet', ...guard, ...read, ...shown, url], {
    limits: { ...processLimits(run.environment), cpu_seconds_max: CPU_SECONDS_MAX },
    folder: run.folder,
    signal: run.signal,
  })
  return /^.?D/.test(stdout)
}
