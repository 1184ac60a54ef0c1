import { decodeFrom } from '../../../shared/ffmpeg/cuts/leading-frames.ts'
import { ffmpegSeconds } from '../../../shared/ffmpeg/filters.ts'
import { type CheckCutStep, type PlacedCut, SOURCE } from '../../../shared/planning/steps.ts'
import { processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { CutMismatch } from './cut-mismatch.ts'
import type { KeyKind } from './key-units.ts'
import type { ListedPacket } from './list-packets.ts'

/** Encoded frames are visually lossless. Wrong or damaged frames are far below. */
const SIMILARITY_MIN = 0.7

/** Reports of a decoder that starts at a recovery point: frames remove references that were not decoded. */
const AFTER_SEEK =
  /^(.*mmco: unref short failure|.*number of reference frames \(\S+\) exceeds max| +Last message repeated).*\n?/gm

/** Display times in the source, in units of the cut. */
export interface FrameRange {
  from: number
  to: number
  /** Decodes only keyframes, which finds parameters that change midway. */
  only_keys?: true
}

/**
 * Decodes the same range of a cut and of its source. Copied frames must be identical, encoded ones similar.
 * @throws CutMismatch at the first difference, or if anything cannot be decoded.
 */
export async function compareFrames(
  { file, track }: CheckCutStep,
  { timescale, at, zero, copy, copy_end }: PlacedCut,
  { from, to, only_keys }: FrameRange,
  { packets, key_kind }: { packets: readonly ListedPacket[]; key_kind: KeyKind },
  run: Run,
): Promise<void> {
  const shift = at - zero
  const start = Math.max(at, from + shift)
  const shown = packets
    .filter(({ pts, is_key }) => pts >= start && pts < to + shift && (is_key || !only_keys))
    .map(({ pts }) => pts)
    .sort((one, other) => one - other)
  const read = (name: string, pts: number) => {
    const { guard, url } = guardedInput(fileIn(run.folder, name), run)
    const skip = only_keys ? ['-skip_frame', 'nokey'] : []
    const seconds = ffmpegSeconds(decodeFrom(pts / timescale))
    const seek = [...skip, '-noautorotate', '-noaccurate_seek', '-ss', seconds]
    return [...guard, ...seek, '-i', url]
  }
  const graph = [
    `[0:v:0]trim=start_pts=${start}:end_pts=${to + shift},setpts=PTS-${start}[result]`,
    `[1:${track}]trim=start_pts=${from}:end_pts=${to},setpts='max(PTS-${zero},0)+${at - start}'[source]`,
    '[result][source]ssim=stats_file=-',
  ]
  // A frame: `n:1 Y:0.99 U:0.99 V:0.99 All:0.990000 (20.0)`; `(inf)` if it is identical.
  const frames: { similarity: number; is_identical: boolean }[] = []
  const { code, stderr } = await runProcess(
    'ffmpeg',
    [
      // Without -xerror, ffmpeg 7 tries forever to drain a decoder that reports errors.
      ...['-hide_banner', '-nostdin', '-v', 'error', '-xerror', ...strictness(key_kind, start / timescale)],
      ...[...read(file, start), ...read(SOURCE, from)],
      ...['-filter_complex', graph.join(';'), '-copyts', '-start_at_zero', '-fps_mode', 'passthrough'],
      // Without this, ffmpeg 5.1 decodes both files to their ends.
      ...['-frames:v', String(shown.length)],
      ...['-f', 'null', '-'],
    ],
    {
      ...{
        limits: processLimits(run.environment),
        folder: run.folder,
        url: run.source_url,
        signal: run.signal,
      },
      onLine(line) {
        const [, similarity, decibels] = /^n:\d+ .*All:(\S+) \((\S+)\)/.exec(line) ?? []
        if (similarity !== undefined)
          frames.push({ similarity: Number(similarity), is_identical: decibels === 'inf' })
      },
    },
  )
  const errors = stderr.replaceAll(AFTER_SEEK, '')
  if (code !== 0 || errors !== '') throw new CutMismatch(`frames cannot be compared: ${errors.slice(-200)}`)
  if (only_keys ? frames.length === 0 : frames.length !== shown.length)
    throw new CutMismatch(`${frames.length} of ${shown.length} frames can be decoded`)
  const copy_last = copy_end?.pts ?? Number.POSITIVE_INFINITY
  for (const [position, { similarity, is_identical }] of frames.entries()) {
    const pts = (shown[position] ?? 0) - shift
    const is_copied = only_keys ?? (pts >= copy && pts <= copy_last)
    if (is_copied ? !is_identical : similarity < SIMILARITY_MIN)
      throw new CutMismatch(`frame ${position} differs from the source: ${similarity}`)
  }
}

/**
 * Returns options that make the decoder fail instead of such a report, if decoding starts a sequence. Elsewhere in the
 * result, it may start at a recovery point, as in the source.
 */
function strictness(key_kind: KeyKind, seconds: number): string[] {
  const starts_sequence = key_kind === 'idr' || (key_kind === 'recovery_point' && decodeFrom(seconds) === 0)
  return starts_sequence ? ['-err_detect', 'explode'] : []
}
