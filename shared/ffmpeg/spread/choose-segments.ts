import type { SegmentRange, SpreadEncode } from '../../planning/spread.ts'

/** A video of the minimum length has this many segments, and longer ones have proportionally more. */
const SEGMENTS_MIN = 8
/** Each segment costs a start of ffmpeg and a transfer, and far fewer workers than this are free at a time. */
const SEGMENTS_MAX = 64
/** Tolerance for rounded timestamps, in frames. */
const TOLERANCE_FRAMES = 0.25

/**
 * Cuts a video at keyframes into segments of about the same length.
 * @param starts times at which decoding can start, in seconds and in order.
 * @param seconds_min shorter videos are not cut; 0 cuts none.
 * @returns null if the video stays whole.
 */
export function chooseSegments(
  starts: readonly number[],
  duration_seconds: number,
  { frames_per_second, start_seconds }: Pick<SpreadEncode, 'frames_per_second' | 'start_seconds'>,
  seconds_min: number,
): SegmentRange[] | null {
  if (seconds_min <= 0 || duration_seconds < seconds_min) return null
  const count = Math.min(SEGMENTS_MAX, Math.floor((SEGMENTS_MIN * duration_seconds) / seconds_min))
  const frames = starts.map((seconds) => (seconds - start_seconds) * frames_per_second)
  // In a video with an irregular rate, the number of a frame does not tell its time.
  if (frames.some((frame) => Math.abs(frame - Math.round(frame)) > TOLERANCE_FRAMES)) return null
  const keys = frames.map(Math.round).filter((frame) => frame > 0)
  const wanted = Array.from(
    { length: count - 1 },
    (_, at) => ((at + 1) * duration_seconds * frames_per_second) / count,
  )
  const cuts = [...new Set(wanted.flatMap((frame) => nearest(keys, frame)))].sort((one, other) => one - other)
  if (cuts.length === 0) return null
  return [0, ...cuts].map((first, at) => ({ first, end: cuts[at] ?? null }))
}

function nearest(sorted: readonly number[], wanted: number): number[] {
  const after = sorted.findIndex((frame) => frame >= wanted)
  const candidates = after < 0 ? sorted.slice(-1) : sorted.slice(Math.max(0, after - 1), after + 1)
  return candidates.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted)).slice(0, 1)
}
