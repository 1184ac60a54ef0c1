import type { Cut } from '../../../shared/ffmpeg/cuts/cut-range.ts'
import { findCut } from '../../../shared/ffmpeg/cuts/find-cut.ts'
import { decodeFrom } from '../../../shared/ffmpeg/cuts/leading-frames.ts'
import { findCopyStart, headSecondsMax, refuseSmartCut } from '../../../shared/ffmpeg/cuts/smart-cut.ts'
import { ffmpegSeconds } from '../../../shared/ffmpeg/filters.ts'
import type { CutPacket, CutPackets, MediaProbe, VideoTrack } from '../../../shared/planning/facts.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { failureOf, processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { CutParams } from './lead.ts'

/**
 * Room for more packets than ordinary files have between a keyframe and the end of a cut. ffmpeg exceeds it by a few
 * packets, within the text that is collected from a process.
 */
const LIST_BYTES = 900_000
/** Reading of the start ends here if decoding can start before. */
const NEAR_SECONDS = 12
/** Reading starts this many frames before the end of the cut. */
const BEFORE_FRAMES = 1.5
/** Reading continues this long after the end of the cut, to see frames that are decoded late. */
const AFTER_SECONDS = 1

/** NAL unit types that start a sequence: IDR frames, and in HEVC all random access points (BLA, IDR, CRA). */
export const START_UNITS: Partial<Record<string, string>> = { h264: '5', hevc: '16-21' }

/**
 * Lists the packets around the ends of a cut (Facts, cut_packets) without decoding any.
 * @throws Error if the machine ended ffmpeg.
 */
export async function measureCutPackets(
  probe: MediaProbe,
  params: Record<string, unknown>,
  run: Run,
): Promise<CutPackets | null> {
  const cut = findCut(CutParams.parse(params), probe)
  if ('refused' in cut || refuseSmartCut(probe, cut) !== null) return null
  const end_seconds = cut.start + cut.seconds
  // A keyframe exactly at the end of the cut is no longer part of it.
  const before_end = Math.max(0, end_seconds - BEFORE_FRAMES / probe.video.frames_per_second)
  const [start, end] = await Promise.all([
    listStart(probe, cut, run),
    cut.to_end ? [] : listPackets(probe, { from: before_end, to: end_seconds + AFTER_SECONDS }, run),
  ])
  const { timescale } = probe.video
  if (start === null || end === null || timescale === undefined) return null
  return { timescale, start, end }
}

/** Lists the packets up to the first copied one. Few videos have it so late that more than the first seconds are read. */
async function listStart(probe: MediaProbe, cut: Cut, run: Run): Promise<CutPacket[] | null> {
  const latest = headSecondsMax(cut)
  for (const seconds of latest > NEAR_SECONDS ? [NEAR_SECONDS, latest] : [latest]) {
    const packets = await listPackets(probe, { from: cut.start, to: cut.start + seconds }, run)
    if (packets === null) return null
    const found = findCopyStart(probe, cut, packets, probe.video.timescale ?? 0)
    if (typeof found !== 'string') return endAtCopy(packets, found.copied)
    if (seconds === latest) return packets
  }
  return null
}

/** Drops the packets after the first copied one, but not those that are displayed before it. */
function endAtCopy(packets: CutPacket[], copied: CutPacket): CutPacket[] {
  const after = packets.findIndex(({ pts, dts }) => dts > copied.dts && pts > copied.pts)
  return after < 0 ? packets : packets.slice(0, after)
}

/**
 * Lists packets in decoding order, from the keyframe at or before `from`.
 * @returns null if a packet has no timestamps, or if ffmpeg fails.
 */
async function listPackets(
  { video }: MediaProbe,
  { from, to }: { from: number; to: number },
  run: Run,
): Promise<CutPacket[] | null> {
  const { guard, url } = guardedInput(fileIn(run.folder, SOURCE), run)
  // The second stream has only the packets at which decoding can start.
  const track = ['-map', `0:${video.index}`]
  const filter = `filter_units=pass_types=${START_UNITS[video.codec]}`
  const seek = ['-noaccurate_seek', '-ss', ffmpegSeconds(decodeFrom(from))]
  const args = [
    ...['-hide_banner', '-nostdin', '-v', 'error', ...guard, ...seek],
    ...['-i', url, '-copyts', '-start_at_zero', ...track, ...track, '-c', 'copy', '-bsf:v:1', filter],
    ...['-to', ffmpegSeconds(to), '-fs', String(LIST_BYTES), '-f', 'framecrc', '-'],
  ]
  const result = await runProcess('ffmpeg', args, {
    limits: processLimits(run.environment),
    folder: run.folder,
    signal: run.signal,
  })
  if (result.ended_by !== null) throw failureOf(result)
  return result.code === 0 ? readPackets(result.stdout, video) : null
}

/**
 * Parses ffmpeg's time base, `#tb 0: 1/12800`, and its packets: `0, 101376, 102400, 512, 9764, 0x223af2ab`. Flags such as
 * `F=0x0` follow if the packet is not a keyframe. A keyframe of H.264 that starts no sequence is a recovery point.
 */
export function readPackets(
  lines: string,
  { codec, timescale = 0 }: Pick<VideoTrack, 'codec' | 'timescale'>,
): CutPacket[] | null {
  if (!lines.includes(`#tb 0: 1/${timescale}\n`)) return null
  const rows = [...lines.matchAll(/^([01]), *(\S+), *(\S+), .*$/gm)]
  const starts = new Set(rows.filter(([, stream]) => stream === '1').map(([, , , pts]) => Number(pts)))
  const packets = rows
    .filter(([, stream]) => stream === '0')
    .map(([line, , dts, shown]): CutPacket => {
      const pts = Number(shown)
      const is_open = codec === 'h264' && !starts.has(pts) && !line.includes(', F=')
      return { dts: Number(dts), pts, can_start: is_open || starts.has(pts), ...(is_open && { is_open }) }
    })
  return packets.every(({ dts, pts }) => Number.isInteger(dts) && Number.isInteger(pts)) ? packets : null
}
