import type { CutPacket, CutPackets, MediaProbe, VideoTrack } from '../../planning/facts.ts'
import type { EncodeReason } from '../../planning/operation.ts'
import type { SmartCut } from '../../planning/steps.ts'
import { isIndexed } from '../output/containers.ts'
import { firstFrameSeconds, gridRateOf, isCutByTimestamp, isSlideShow } from './cut.ts'
import type { Cut } from './cut-range.ts'

/** Profiles of which the encoder makes the same kind of stream: 4:2:0 with progressive frames. */
const PROFILES: Partial<Record<string, readonly string[]>> = {
  h264: ['Constrained Baseline', 'Main', 'High'],
  hevc: ['Main', 'Main 10'],
}
const PIXEL_FORMATS: Partial<Record<string, readonly string[]>> = {
  h264: ['yuv420p', 'yuvj420p'],
  hevc: ['yuv420p', 'yuvj420p', 'yuv420p10le'],
}

/** Encoding this many pixels takes as long as the programs that find, join and check the parts: about a second. */
const COPY_PIXELS_MIN = 100e6
/** Below this copied share of the cut, everything is encoded: checking the frames costs the rest. */
export const COPY_SHARE_MIN = 0.4

/** Tolerance for timestamps that callers or containers round to milliseconds. */
const TOLERANCE_SECONDS = 0.0015

/** So many encoded frames before a recovery point usually suffice to continue their numbering with it (JoinStep). */
const OPEN_HEAD_FRAMES_MIN = 10

/**
 * Decides from the probe alone if a precise cut may copy most of its frames.
 * @returns the reason for encoding everything, or null if the packets decide.
 */
export function refuseSmartCut(probe: MediaProbe, cut: Cut): EncodeReason | null {
  const { video } = probe
  const refusal = refuseCopies(probe)
  if (refusal !== null) return refusal
  if ((video.start_seconds ?? 0) > cut.start) return 'timestamps'
  return cut.start === 0 || isTooShort(cut.seconds, cut, video) ? 'too_little' : null
}

/** Returns why frames of a video cannot be copied between encoded ones, or null. */
export function refuseCopies(probe: MediaProbe): EncodeReason | null {
  const { video } = probe
  const { codec, coding, pixel_format, interlaced, timescale } = video
  if (!PROFILES[codec]?.includes(coding?.profile ?? '') || interlaced) return 'codec'
  if (!PIXEL_FORMATS[codec]?.includes(pixel_format)) return 'codec'
  if (!isIndexed(probe) || probe.container === 'avi') return 'container'
  if (probe.hides_start || probe.hides_end) return 'hidden_frames'
  if (isSlideShow(video)) return 'frame_rate'
  const has_times = timescale !== undefined && video.lacks_display_times !== true && !probe.clock_restarts
  return has_times && probe.missing_seconds === undefined ? null : 'timestamps'
}

/** Returns how far after the start the first copied frame may be. */
export function headSecondsMax(cut: Cut): number {
  return cut.seconds * (1 - COPY_SHARE_MIN)
}

/**
 * Finds the frame displayed at the start of the cut, and where the copy starts.
 * @param packets from the keyframe at or before the start of the cut.
 * @param follows other frames precede the cut in the result.
 */
export function findCopyStart(
  probe: MediaProbe,
  cut: Cut,
  packets: readonly CutPacket[],
  timescale: number,
  follows = false,
): { first: number; copied: CutPacket } | EncodeReason {
  const first = findFirst(probe, cut, packets, timescale)
  if (first === undefined) return 'timestamps'
  const shown = packets.filter(({ pts }) => pts >= first)
  const copied = shown.find(({ can_start, is_open, pts }) => {
    if (!can_start || !is_open) return can_start
    const head = shown.filter((packet) => packet.pts < pts).length
    return (head === 0 && !follows) || head >= OPEN_HEAD_FRAMES_MIN
  })
  return copied === undefined ? 'no_keyframe' : { first, copied }
}

/** Finds the frame displayed at the start of the cut. */
export function findFirst(
  { video }: MediaProbe,
  { start }: Cut,
  packets: readonly CutPacket[],
  timescale: number,
): number | undefined {
  return lastBefore(packets, (start + toleranceOf(video)) * timescale)
}

/**
 * Returns the time of the source that the start of the cut shows: that of the first frame, or as in a full encode if that
 * frame is missing and the one before it is displayed.
 */
export function zeroOf(probe: MediaProbe, cut: Cut, first: number, timescale: number): number {
  const { video } = probe
  const earliest = cut.start - 1 / gridRateOf(video) + toleranceOf(video) / 2
  const is_missing = first < earliest * timescale
  return isCutByTimestamp(video) || is_missing ? Math.round(firstFrameSeconds(cut, probe) * timescale) : first
}

/**
 * Returns the time before which the last frame of the cut starts: the end of the cut. Joined cuts contain as many frames
 * as their duration has at a constant rate, counted from the first one, so each starts where the one before it ends.
 */
export function endOf(
  { video }: MediaProbe,
  cut: Cut,
  zero: number,
  { timescale, is_joined }: { timescale: number; is_joined: boolean },
): number {
  const frame_seconds = 1 / gridRateOf(video)
  if (is_joined && !isCutByTimestamp(video))
    return zero + (Math.max(cut.seconds, frame_seconds) - frame_seconds / 2) * timescale
  const end_seconds = cut.start + cut.seconds - toleranceOf(video)
  return Math.max(end_seconds * timescale, zero + (frame_seconds / 2) * timescale)
}

/**
 * Decides what to copy and what to encode (Contract: Video operations, Trim).
 * @param joined other cuts precede or follow this one in the result; null if it is the only one.
 */
export function chooseSmartCut(
  probe: MediaProbe,
  cut: Cut,
  { timescale, start, end, reaches_end }: CutPackets,
  joined: { follows: boolean } | null = null,
): SmartCut | EncodeReason {
  const frame_seconds = 1 / gridRateOf(probe.video)
  const found = findCopyStart(probe, cut, start, timescale, joined?.follows)
  if (typeof found === 'string') return found
  const { first, copied } = found
  const is_variable = isCutByTimestamp(probe.video)
  const zero = zeroOf(probe, cut, first, timescale)
  const beginning = {
    ...{ timescale, zero, first, copy: copied.pts },
    ...(copied.is_open && first < copied.pts && { is_open: true as const }),
  }
  if (cut.to_end) {
    const rest = cut.seconds - (copied.pts - zero) / timescale
    if (isTooShort(rest, cut, probe.video)) return 'too_little'
    return { ...beginning, copy_end: null, tail: null, length: null }
  }
  const end_pts = endOf(probe, cut, zero, { timescale, is_joined: joined !== null })
  const last = lastCopied(
    end.filter(({ dts }) => dts >= copied.dts),
    end_pts,
    reaches_end,
  )
  if (last === undefined) return 'no_keyframe'
  if (isTooShort((last.pts - copied.pts) / timescale, cut, probe.video)) return 'too_little'
  const rest = end
    .filter(({ pts }) => pts > last.pts && pts < end_pts)
    .sort((one, other) => one.pts - other.pts)
  const [tail, latest = last] = [rest[0], rest.at(-1)]
  const latest_end = latest.pts - zero + Math.round(frame_seconds * timescale)
  return {
    ...beginning,
    copy_end: last,
    tail: tail === undefined ? null : { start: tail.pts, end: latest.pts + 1 },
    // If frames are missing before the end, the latest one is displayed until there.
    length: is_variable
      ? Math.round(cut.seconds * timescale)
      : Math.max(latest_end, Math.round(end_pts - zero)),
  }
}

function toleranceOf(video: VideoTrack): number {
  return Math.min(TOLERANCE_SECONDS, 0.25 / gridRateOf(video))
}

/** Checks whether so little can be copied that encoding everything is nearly as fast. */
function isTooShort(copied_seconds: number, { seconds }: Cut, video: VideoTrack): boolean {
  const { width, height, frames_per_second } = video
  const pixels = copied_seconds * frames_per_second * width * height
  return pixels < COPY_PIXELS_MIN || copied_seconds < seconds * COPY_SHARE_MIN
}

function lastBefore(packets: readonly CutPacket[], pts_max: number): number | undefined {
  let last: number | undefined
  for (const { pts } of packets) if (pts <= pts_max && !(last !== undefined && last >= pts)) last = pts
  return last
}

/**
 * Returns where the copy ends: the last packet in decoding order before which all frames up to the latest one are
 * complete. Later packets may only be displayed after that frame.
 * @param reaches_end the list has all packets that are decoded before the end.
 * @returns the decoding time of the packet, and the display time of the latest frame; undefined if there is none.
 */
function lastCopied(
  packets: readonly CutPacket[],
  end_pts: number,
  reaches_end: boolean,
): { dts: number; pts: number } | undefined {
  const later = packets.map(() => Number.POSITIVE_INFINITY)
  for (let at = packets.length - 2; at >= 0; at -= 1)
    later[at] = Math.min(later[at + 1] ?? 0, packets[at + 1]?.pts ?? 0)
  let latest = Number.NEGATIVE_INFINITY
  let found: { dts: number; pts: number } | undefined
  for (const [at, { dts, pts }] of packets.entries()) {
    latest = Math.max(latest, pts)
    if (latest >= end_pts) return found
    if (latest < (later[at] ?? 0)) found = { dts, pts: latest }
  }
  // Otherwise, frames may be missing from the list.
  return reaches_end ? found : undefined
}
