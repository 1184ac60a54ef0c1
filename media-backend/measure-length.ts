import { z } from 'zod'
import { LENGTH_TAGS, trackEnd } from './facts/track-end.ts'
import type { Run } from './job.ts'
import { processLimits } from './steps/ffmpeg.ts'
import { INPUT_GUARD } from './steps/ffmpeg-command.ts'
import { runProcess } from './steps/process.ts'

/** Packets of hours are read in a few of them; of what takes longer the end stays unknown. */
const COUNTING_CPU_SECONDS_MAX = 60

/** When the last of these tracks ends, in seconds of the file's clock. */
export interface TrackEnd {
  tracks: readonly number[]
  seconds: number
}

export interface ToldEnds {
  /** Where the file's clock begins. */
  start_seconds: number
  ends: TrackEnd[]
}

const Seconds = z.coerce.number().optional().catch(undefined)

const Header = z.object({
  format: z.object({ start_time: Seconds, duration: Seconds }),
  streams: z.array(
    z.object({
      index: z.int(),
      start_time: Seconds,
      duration: Seconds,
      tags: z.record(z.string(), z.string()).default({}),
    }),
  ),
})

const ENTRIES = [
  'format=start_time,duration',
  'stream=index,start_time,duration',
  `stream_tags=${LENGTH_TAGS.join(',')}`,
].join(':')

/**
 * When tracks of a file in the folder end by its header: each by itself, or all of them together where it
 * tells no more and holds no others. Nothing where another track may be the one that the file's length is of.
 */
export async function readEnds(path: string, tracks: readonly number[], run: Run): Promise<ToldEnds> {
  const { code, stdout } = await runProcess('ffprobe', lookAt(path, ENTRIES, 'json=compact=1'), {
    limits: processLimits(run.environment),
    folder: run.folder,
    signal: run.signal,
  })
  const header = code === 0 ? Header.safeParse(parseJson(stdout)) : null
  if (!header?.success) return { start_seconds: 0, ends: [] }
  const { format, streams } = header.data
  const start_seconds = Math.max(0, format.start_time ?? 0)
  const ends = tracks.flatMap((track) => {
    const stream = streams.find(({ index }) => index === track)
    const seconds = stream === undefined ? null : trackEnd(stream)
    return seconds === null ? [] : [{ tracks: [track], seconds }]
  })
  if (ends.length === tracks.length) return { start_seconds, ends }
  const is_all = streams.every(({ index }) => tracks.includes(index))
  if (!is_all || format.duration === undefined) return { start_seconds, ends: [] }
  return { start_seconds, ends: [{ tracks, seconds: start_seconds + format.duration }] }
}

/** A file may carry more text than is read. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** When the tracks of a file in the folder end by what there is of them; null where that takes too long. */
export async function countEnds(path: string, run: Run): Promise<ReadonlyMap<number, number> | null> {
  const ends = new Map<number, number>()
  const entries = 'packet=stream_index,pts_time,dts_time,duration_time'
  const { code } = await runProcess('ffprobe', lookAt(path, entries, 'csv=p=0'), {
    limits: { ...processLimits(run.environment), cpu_seconds_max: COUNTING_CPU_SECONDS_MAX },
    folder: run.folder,
    signal: run.signal,
    onLine(line) {
      // What is not known is told as N/A.
      const [track = Number.NaN, shown, decoded, length] = line.split(',').map(Number)
      const seconds = (shown || decoded || 0) + (length || 0)
      if (seconds > (ends.get(track) ?? 0)) ends.set(track, seconds)
    },
  })
  return code === 0 ? ends : null
}

function lookAt(path: string, entries: string, form: string): string[] {
  const shown = ['-show_entries', entries, '-of', form]
  return ['-hide_banner', '-v', 'quiet', ...INPUT_GUARD, ...shown, `file:${path}`]
}
