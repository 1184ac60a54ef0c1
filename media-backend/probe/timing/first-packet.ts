import { processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'

const CPU_SECONDS_MAX = 10

/** Reads the size in bytes of a stream's first packet, and whether it is decoded but not displayed. */
export async function readFirstPacket(
  index: number,
  path: string,
  run: Run,
): Promise<{ size: number; is_discarded: boolean }> {
  const [first] = await readPackets(index, '%+#1', path, run)
  return first ?? { size: 0, is_discarded: false }
}

/**
 * Reads packets of a stream.
 * @param interval an interval in the syntax of ffprobe's -read_intervals.
 */
export async function readPackets(
  index: number,
  interval: string,
  path: string,
  run: Run,
): Promise<{ size: number; is_discarded: boolean }[]> {
  const { guard, url } = guardedInput(path, run)
  const read = ['-select_streams', String(index), '-read_intervals', interval]
  const shown = ['-show_entries', 'packet=size,flags', '-of', 'csv=print_section=0']
  const { stdout } = await runProcess('ffprobe', ['-v', 'quiet', ...guard, ...read, ...shown, url], {
    limits: { ...processLimits(run.environment), cpu_seconds_max: CPU_SECONDS_MAX },
    folder: run.folder,
    url: run.source_url,
    signal: run.signal,
  })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [size = '', flags = ''] = line.split(',')
    return { size: Number(size) || 0, is_discarded: /^.?D/.test(flags) }
  })
}
