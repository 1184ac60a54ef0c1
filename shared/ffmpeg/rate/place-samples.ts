import type { TimeRange } from '../../planning/facts.ts'

/** A sample: the frames from the keyframe at or before `at`, as far as they lie within the range. */
export interface Sample extends TimeRange {
  at: number
}

/** Spreads samples of a length evenly over ranges of a video. */
export function placeSamples(ranges: readonly TimeRange[], count: number, seconds: number): Sample[] {
  const total = secondsOf(ranges)
  return Array.from({ length: count }, (_, number) => {
    const { range, at } = placeIn(ranges, ((number + 0.5) / count) * total)
    return { ...range, at: Math.max(range.start, Math.min(at, range.end - seconds)) }
  })
}

export function secondsOf(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** Returns where a time lies in the video that the ranges make when joined. */
function placeIn(ranges: readonly TimeRange[], seconds: number): { range: TimeRange; at: number } {
  let rest = seconds
  let last: TimeRange = { start: 0, end: 0 }
  for (const range of ranges) {
    const length = range.end - range.start
    if (rest < length) return { range, at: range.start + rest }
    rest -= length
    last = range
  }
  return { range: last, at: last.end }
}
