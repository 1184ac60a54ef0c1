import { ffmpegSeconds } from '../../../shared/ffmpeg/filters.ts'
import type { CheckCutStep } from '../../../shared/planning/steps.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { compareFrames } from './compare-frames.ts'
import { findDifference } from './compare-packets.ts'
import { rangesToCompare } from './compared-ranges.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { readKeyKind } from './key-units.ts'
import { type Listed, listPackets } from './list-packets.ts'

/** Packets of the source continue this long after the end of the cuts, to see frames that are decoded late. */
const AFTER_SECONDS = 1

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
  const key_kind = await readKeyKind(fileIn(run.folder, step.file))
  const result = { packets: made.packets, key_kind }
  const compares_keys = key_kind !== 'recovery_point'
  for (const cut of cuts)
    for (const range of rangesToCompare(cut, made.packets, { is_last: cut === cuts.at(-1), compares_keys }))
      await compareFrames(step, cut, range, result, run)
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
