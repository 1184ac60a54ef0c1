import { ffmpegSeconds } from '../../../shared/ffmpeg/filters.ts'
import type { CheckCutStep } from '../../../shared/planning/steps.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { compareFrames } from './compare-frames.ts'
import { findDifference } from './compare-packets.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { hasRecoveryPoints } from './key-units.ts'
import { listPackets } from './list-packets.ts'

/** Frames after the first copied one that are decoded and compared, too. */
const AFTER_SECONDS = 1
/** Later than any frame. */
const END_OF_TIME = 2 ** 52
/**
 * Compares a cut with its source: all packets, and the decoded frames around the places where parts meet.
 * @throws CutMismatch at the first difference.
 */
export async function checkCut(step: CheckCutStep, run: Run): Promise<void> {
  const { cut, track } = step
  const { timescale, first, copy, copy_end, zero, tail } = cut
  const result = guardedInput(fileIn(run.folder, step.file), run)
  const source = guardedInput(fileIn(run.folder, SOURCE), run)
  const limits = processLimits(run.environment)
  const from = ['-noaccurate_seek', '-ss', ffmpegSeconds(first / timescale)]
  const last = Math.max(tail?.end ?? 0, copy_end?.dts ?? 0)
  const to = copy_end === null ? [] : ['-to', ffmpegSeconds(last / timescale + AFTER_SECONDS)]
  const times = ['-copyts', '-start_at_zero']
  const [made, original] = await Promise.all([
    listPackets([...result.guard, '-i', result.url, '-map', '0:v:0'], limits, run),
    listPackets(
      [...source.guard, ...from, '-i', source.url, ...times, '-map', `0:${track}`, ...to],
      limits,
      run,
    ),
  ])
  if (made.timescale !== timescale || original.timescale !== timescale)
    throw new CutMismatch('the result counts time in another unit')
  const difference = findDifference(cut, original.packets, made.packets)
  if (difference !== null) throw new CutMismatch(difference)
  const compare = (from: number, to: number) => compareFrames(step, { from, to }, made.packets, run)
  const copied_to = copy_end === null ? END_OF_TIME : copy_end.pts + 1
  if (!(await hasRecoveryPoints(fileIn(run.folder, step.file))))
    await compareFrames(step, { from: copy, to: copied_to, only_keys: true }, made.packets, run)
  if (first < copy) await compare(first, copy + AFTER_SECONDS * timescale)
  if (tail === null) return
  const keys = made.packets.filter(({ is_key, pts }) => is_key && pts < tail.start - zero)
  await compare(Math.max(copy, (keys.at(-1)?.pts ?? 0) + zero), tail.end)
}
