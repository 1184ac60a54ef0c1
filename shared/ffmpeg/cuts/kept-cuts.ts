import type { CutPacket, MediaProbe, TimeRange, VideoPackets } from '../../planning/facts.ts'
import type { PlacedCut } from '../../planning/steps.ts'
import { copiesFrames, type PlacedCuts } from './copied-frames.ts'
import type { Cut } from './cut-range.ts'
import { decodeFrom } from './leading-frames.ts'
import { COPY_SHARE_MIN, chooseSmartCut, endOf, findFirst, headSecondsMax, zeroOf } from './smart-cut.ts'

/** Everything is encoded if a range starts or ends farther from its keyframe: reading from there would take long. */
const BEFORE_PACKETS_MAX = 15_000
/** Frames after the end of a range, to see those that are decoded late. */
const AFTER_SECONDS = 1

/**
 * Decides what to copy and what to encode of the ranges that are kept of a video and joined.
 * @param keep ranges that begin and end on frames.
 * @returns null if too little can be copied.
 */
export function chooseKeptCuts(
  probe: MediaProbe,
  keep: readonly TimeRange[],
  { timescale, packets }: VideoPackets,
): PlacedCuts | null {
  const cuts: PlacedCut[] = []
  let seconds = 0
  for (const [position, { start, end }] of keep.entries()) {
    const to_end = position === keep.length - 1 && end >= probe.duration_seconds
    const cut: Cut = { start, seconds: end - start, to_end }
    const placed = placeCut(probe, cut, { timescale, packets }, position > 0)
    if (placed === null) return null
    cuts.push({ ...placed, at: Math.round(seconds * timescale) })
    seconds += cut.seconds
  }
  const [first, ...others] = cuts
  const copied = cuts.filter(copiesFrames).reduce((sum, cut) => sum + copiedUnits(cut, packets), 0)
  if (first === undefined || copied < seconds * COPY_SHARE_MIN * timescale) return null
  return [first, ...others]
}

/** Copies what is worth it of a range, or encodes all of it. */
function placeCut(
  probe: MediaProbe,
  cut: Cut,
  { timescale, packets }: VideoPackets,
  follows: boolean,
): Omit<PlacedCut, 'at'> | null {
  const end_seconds = cut.start + cut.seconds
  const between = (from: number, to: number) =>
    readBetween(packets, decodeFrom(from) * timescale, to * timescale)
  const start = between(cut.start, cut.start + headSecondsMax(cut))
  const end = cut.to_end ? [] : between(end_seconds, end_seconds + AFTER_SECONDS)
  if (start === null || end === null) return null
  const chosen = chooseSmartCut(probe, cut, { timescale, start, end, reaches_end: true }, { follows })
  if (typeof chosen !== 'string') return chosen
  const first = findFirst(probe, cut, start, timescale)
  if (first === undefined) return null
  const zero = zeroOf(probe, cut, first, timescale)
  const end_pts = cut.to_end
    ? Number.POSITIVE_INFINITY
    : endOf(probe, cut, zero, { timescale, is_joined: true })
  const shown = between(cut.start, end_seconds + AFTER_SECONDS)
  if (shown === null) return null
  const copy = shown.reduce((latest, { pts }) => (pts < end_pts ? Math.max(latest, pts) : latest), first) + 1
  const length = cut.to_end ? null : Math.round(cut.seconds * timescale)
  return { timescale, zero, first, copy, copy_end: { dts: copy, pts: copy - 1 }, tail: null, length }
}

/**
 * Returns the packets from the keyframe at or before a time, in decoding order, and up to the first one that is decoded
 * after the other time.
 * @returns null if the keyframe is too far back.
 */
function readBetween(packets: readonly CutPacket[], from_pts: number, to_dts: number): CutPacket[] | null {
  const from = Math.min(indexOf(packets, from_pts), packets.length - 1)
  let start = from
  while (start > 0 && !(packets[start]?.can_start === true && (packets[start]?.pts ?? 0) <= from_pts)) {
    start -= 1
    if (from - start > BEFORE_PACKETS_MAX) return null
  }
  return packets.slice(start, indexOf(packets, to_dts) + 1)
}

/** Returns the position of the first packet that is decoded after a time. */
function indexOf(packets: readonly CutPacket[], dts: number): number {
  let [low, high] = [0, packets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((packets[middle]?.dts ?? 0) > dts) high = middle
    else low = middle + 1
  }
  return low
}

function copiedUnits({ copy, copy_end }: PlacedCut, packets: readonly CutPacket[]): number {
  return (copy_end?.pts ?? packets.at(-1)?.pts ?? copy) - copy
}
