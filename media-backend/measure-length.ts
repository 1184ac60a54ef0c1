import type { Run } from './job.ts'
import { processLimits } from './steps/ffmpeg.ts'
import { INPUT_GUARD } from './steps/ffmpeg-command.ts'
import { runProcess } from './steps/process.ts'

/** Packets of hours are read in a few of them; of what takes longer the end stays unknown. */
const COUNTING_CPU_SECONDS_MAX = 60

/** When the tracks of a file in the folder end by what there is of them; null where that takes too long. */
export async function countEnds(path: string, run: Run): Promise<ReadonlyMap<number, number> | null> {
  const ends = new Map<number, number>()
  const entries = 'packet=stream_index,pts_time,dts_time,duration_time'
  const shown = ['-show_entries', entries, '-of', 'csv=p=0']
  const { code } = await runProcess(
    'ffprobe',
    ['-hide_banner', '-v', 'quiet', ...INPUT_GUARD, ...shown, `file:${path}`],
    {
      limits: { ...processLimits(run.environment), cpu_seconds_max: COUNTING_CPU_SECONDS_MAX },
      folder: run.folder,
      signal: run.signal,
      onLine(line) {
        // What is not known is told as N/A.
        const [track = Number.NaN, shown, decoded, length] = line.split(',').map(Number)
        const seconds = (shown || decoded || 0) + (length || 0)
        if (seconds > (ends.get(track) ?? 0)) ends.set(track, seconds)
      },
    },
  )
  return code === 0 ? ends : null
}
