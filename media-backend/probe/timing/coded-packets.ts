import { decodeFrom } from '../../../shared/ffmpeg/cuts/leading-frames.ts'
import { ffmpegSeconds } from '../../../shared/ffmpeg/filters.ts'
import type { CutPacket, MediaProbe } from '../../../shared/planning/facts.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { failureOf, processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'

/** Bytes that ffmpeg prints per packet, at most; it prints keyframes twice. */
const LINE_BYTES = 60

/** NAL unit types that start a sequence: IDR frames, and in HEVC all random access points (BLA, IDR, CRA). */
export const START_UNITS: Partial<Record<string, string>> = { h264: '5', hevc: '16-21' }

/**
 * Lists packets in decoding order without decoding any. A keyframe of H.264 that starts no sequence is taken for a recovery
 * point.
 * @param range starts with the keyframe at or before `from`; null lists all packets.
 * @param packets_max ends the list.
 * @returns null if a packet has no timestamps, or if ffmpeg fails.
 * @throws Error if the machine ended ffmpeg.
 */
export async function listCodedPackets(
  { video }: MediaProbe,
  range: { from: number; to: number } | null,
  packets_max: number,
  run: Run,
): Promise<CutPacket[] | null> {
  const { guard, url } = guardedInput(fileIn(run.folder, SOURCE), run)
  // The second stream has only the packets that start a sequence.
  const track = ['-map', `0:${video.index}`]
  const filter = `filter_units=pass_types=${START_UNITS[video.codec]}`
  const seek = range && ['-noaccurate_seek', '-ss', ffmpegSeconds(decodeFrom(range.from))]
  const end = range && ['-to', ffmpegSeconds(range.to)]
  const args = [
    ...['-hide_banner', '-nostdin', '-v', 'error', ...guard, ...(seek ?? []), '-i', url],
    ...['-copyts', '-start_at_zero', ...track, ...track, '-c', 'copy', '-bsf:v:1', filter, ...(end ?? [])],
    ...['-fs', String(packets_max * LINE_BYTES), '-f', 'framecrc', '-'],
  ]
  const listed = readLines()
  const result = await runProcess('ffmpeg', args, {
    limits: processLimits(run.environment),
    folder: run.folder,
    url: run.source_url,
    signal: run.signal,
    onLine: listed.onLine,
  })
  if (result.ended_by !== null) throw failureOf(result)
  return result.code === 0 && listed.timescale() === video.timescale ? listed.packets(video.codec) : null
}

/**
 * Parses ffmpeg's time base, `#tb 0: 1/12800`, and its packets: `0, 101376, 102400, 512, 9764, 0x223af2ab`. Flags such as
 * `F=0x0` follow if the packet is not a keyframe.
 */
function readLines() {
  const rows: { dts: number; pts: number; is_key: boolean }[] = []
  const starts = new Set<number>()
  let timescale = 0
  return {
    timescale: () => timescale,
    onLine(line: string) {
      const [, unit] = /^#tb 0: 1\/(\d+)$/.exec(line) ?? []
      if (unit !== undefined) timescale = Number(unit)
      const [, stream, dts, pts] = /^([01]), *(\S+), *(\S+), /.exec(line) ?? []
      if (stream === '1') starts.add(Number(pts))
      if (stream === '0') rows.push({ dts: Number(dts), pts: Number(pts), is_key: !line.includes(', F=') })
    },
    packets(codec: string): CutPacket[] | null {
      if (!rows.every(({ dts, pts }) => Number.isInteger(dts) && Number.isInteger(pts))) return null
      return rows.map(({ dts, pts, is_key }) => {
        const is_open = codec === 'h264' && is_key && !starts.has(pts)
        return { dts, pts, can_start: is_open || starts.has(pts), ...(is_open && { is_open }) }
      })
    },
  }
}
