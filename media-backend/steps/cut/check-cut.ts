import { copiesFrames } from '../../../shared/ffmpeg/cuts/copied-frames.ts'
import { ffmpegSeconds } from '../../../shared/ffmpeg/filters.ts'
import type { CheckCutStep, PlacedCut } from '../../../shared/planning/steps.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { compareFrames, type FrameRange } from './compare-frames.ts'
import { findDifference } from './compare-packets.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { hasRecoveryPoints } from './key-units.ts'
import { type Listed, type ListedPacket, listPackets } from './list-packets.ts'

/** Frames after the first copied one that are decoded and compared, too. */
const AFTER_SECONDS = 1
/** Later than any frame. */
const END_OF_TIME = 2 ** 52

/**
 * Compares cuts with their source: all packets, and the decoded frames around the places where parts meet.
 * @throws CutMismatch at the first difference.
 */
export async function checkCut(step: CheckCutStep, run: Run): Promise<void> {
  const { cuts } = step
  const [made, original] = await Promise.all([listResult(step, run), listSource(step, run)])
  const { timescale } = cuts[0]
  if (made.timescale !== timescale || original.timescale !== timescale)
    throw new CutMismatch('the result counts time in another unit')
  const difference = findDifference(cuts, original.packets, made.packets)
  if (difference !== null) throw new CutMismatch(difference)
  const compares_keys = !(await hasRecoveryPoints(fileIn(run.folder, step.file)))
  for (const cut of cuts.filter(copiesFrames))
    for (const range of rangesToCompare(cut, made.packets, compares_keys))
      await compareFrames(step, cut, range, made.packets, run)
}

async function listResult({ file }: CheckCutStep, run: Run): Promise<Listed> {
  const { guard, url } = guardedInput(fileIn(run.folder, file), run)
  return listPackets([...guard, '-i', url, '-map', '0:v:0'], processLimits(run.environment), run)
}

async function listSource({ cuts, track }: CheckCutStep, run: Run): Promise<Listed> {
  const { guard, url } = guardedInput(fileIn(run.folder, SOURCE), run)
  const [{ timescale, first }] = cuts
  const { tail, copy_end } = cuts.at(-1) ?? cuts[0]
  const from = ['-noaccurate_seek', '-ss', ffmpegSeconds(first / timescale)]
  const last = Math.max(tail?.end ?? 0, copy_end?.dts ?? 0)
  const to = copy_end === null ? [] : ['-to', ffmpegSeconds(last / timescale + AFTER_SECONDS)]
  const times = ['-copyts', '-start_at_zero', '-map', `0:${track}`, ...to]
  return listPackets([...guard, ...from, '-i', url, ...times], processLimits(run.environment), run)
}

/** Returns the keyframes, and the frames around both ends of the copied part, or all frames if these meet. */
function rangesToCompare(
  { timescale, at, zero, first, copy, copy_end, tail }: PlacedCut,
  packets: readonly ListedPacket[],
  compares_keys: boolean,
): FrameRange[] {
  const copied_to = copy_end === null ? END_OF_TIME : copy_end.pts + 1
  const head_end = Math.min(copy + AFTER_SECONDS * timescale, tail?.end ?? copied_to)
  const keys: FrameRange[] = compares_keys ? [{ from: copy, to: copied_to, only_keys: true }] : []
  const head = first < copy ? [{ from: first, to: head_end }] : []
  if (tail === null) return [...keys, ...head]
  const before = packets.filter(({ is_key, pts }) => is_key && pts < tail.start - zero + at)
  const tail_start = Math.max(copy, (before.at(-1)?.pts ?? 0) + zero - at)
  if (head.length > 0 && tail_start <= head_end) return [...keys, { from: first, to: tail.end }]
  return [...keys, ...head, { from: tail_start, to: tail.end }]
}
