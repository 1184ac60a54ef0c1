import type { MediaProbe } from '../../planning/facts.ts'

/** Facts that determine how to seek. */
export type Seekable = Pick<MediaProbe, 'container' | 'clock_restarts'>

/**
 * How far before a timestamp reading starts, because seeks without an index are imprecise. Cameras and broadcasts
 * have a keyframe at least every 2 s, encoders with default settings every 10 s.
 */
const MARGIN_SECONDS = 3
const MARGINS_SECONDS = [12, 40]

/**
 * Returns the start positions to try, in order, until one yields a keyframe at or before the timestamp. The last one is
 * zero.
 */
export function unindexedSeeks(
  { clock_restarts }: Pick<Seekable, 'clock_restarts'>,
  timestamp: number,
  margin_seconds = MARGIN_SECONDS,
): number[] {
  if (clock_restarts) return [0]
  const starts = [margin_seconds, ...MARGINS_SECONDS].map((margin) => timestamp - margin)
  return [...starts.filter((start) => start > 0), 0]
}

/**
 * Drops frames before the first keyframe after a seek. The H.264 decoder does so itself; others output gray
 * or smeared frames.
 */
export function fromKeyframe(codec: string): string[] {
  return codec === 'h264' ? [] : ["select='st(0,max(ld(0),key))'"]
}
