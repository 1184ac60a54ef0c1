import { processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'

/** Enough for the packets of several hours. The ends of longer files remain unknown. */
const COUNTING_CPU_SECONDS_MAX = 60

/**
 * Reads when these tracks actually end, on the file's clock in seconds. Returns null if that takes too long. Reads
 * no other tracks, because in a truncated file the first missing packet of any track would stop ffmpeg.
 */
export async function countEnds(
  path: string,
  tracks: readonly number[],
  run: Run,
): Promise<ReadonlyMap<number, number> | null> {
  const { guard, url } = guardedInput(path, run)
  const maps = tracks.flatMap((track) => ['-map', `0:${track}`])
  const reading = [...[...guard, '-fflags', '+genpts', '-i', url], ...maps]
  const units = new Map<number, number>()
  const ends = new Map<number, number>()
  const { code } = await runProcess(
    'ffmpeg',
    ['-hide_banner', '-nostdin', '-v', 'quiet', ...reading, '-c', 'copy', '-copyts', '-f', 'framecrc', '-'],
    {
      limits: { ...processLimits(run.environment), cpu_seconds_max: COUNTING_CPU_SECONDS_MAX },
      folder: run.folder,
      url: run.source_url,
      signal: run.signal,
      onLine(line) {
        const [, track, above, below] = /^#tb (\d+): (\d+)\/(\d+)$/.exec(line) ?? []
        if (track !== undefined) units.set(Number(track), Number(above) / Number(below))
        if (line.startsWith('#')) return
        // Track, decoding time, presentation time, duration, size and checksum.
        const [position = Number.NaN, , shown = Number.NaN, length = 0] = line.split(',').map(Number)
        const seconds = (shown + length) * (units.get(position) ?? Number.NaN)
        const index = tracks[position]
        if (index !== undefined && seconds > (ends.get(index) ?? 0)) ends.set(index, seconds)
      },
    },
  )
  return code === 0 ? ends : null
}
