import type { SpreadEncode } from '../../../shared/planning/spread.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { failureOf, processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { START_UNITS } from './coded-packets.ts'

/**
 * Lists the frames at which decoding can start, in seconds from the start of the file. Reads every packet and decodes
 * none. Keyframe flags alone do not suffice: a broadcast also sets them where the picture is only refreshed gradually.
 * @throws Error if the machine ended ffmpeg.
 */
export async function listStartFrames(
  { track, codec }: Pick<SpreadEncode, 'track' | 'codec'>,
  run: Run,
): Promise<number[]> {
  const { guard, url } = guardedInput(fileIn(run.folder, SOURCE), run)
  const filter = `filter_units=pass_types=${START_UNITS[codec]}`
  let timescale = 0
  const seconds: number[] = []
  const result = await runProcess(
    'ffmpeg',
    [
      ...['-hide_banner', '-nostdin', '-v', 'error', ...guard, '-i', url, '-copyts', '-start_at_zero'],
      ...['-map', `0:${track}`, '-c', 'copy', '-bsf:v', filter, '-f', 'framecrc', '-'],
    ],
    {
      limits: processLimits(run.environment),
      folder: run.folder,
      url: run.source_url,
      signal: run.signal,
      onLine(line) {
        const [, unit] = /^#tb 0: 1\/(\d+)$/.exec(line) ?? []
        if (unit !== undefined) timescale = Number(unit)
        const [, pts] = /^0, *\S+, *(-?\d+), /.exec(line) ?? []
        if (pts !== undefined) seconds.push(Number(pts) / timescale)
      },
    },
  )
  if (result.ended_by !== null) throw failureOf(result)
  return result.code === 0 && timescale > 0 ? seconds : []
}
