import type { MediaProbe } from '../../planning/facts.ts'

/** What tells how to find a moment. */
export type Seekable = Pick<MediaProbe, 'container' | 'clock_restarts'>

/**
 * Without an index a seek is guesswork: so long before a moment reading begins. Cameras, broadcasts and streams
 * have a keyframe every two seconds or sooner, encoders that are told nothing every ten.
 */
const MARGIN_SECONDS = 3
const MARGINS_SECONDS = [12, 40]

/** Where to begin reading for a moment, one after the other until a keyframe came in time. The last is nought. */
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
 * The first filter where reading began anywhere: the decoder of H.264 shows nothing until it can, but others what
 * they have before the first keyframe, grey or smeared.
 */
export function fromKeyframe(codec: string): string[] {
  return codec === 'h264' ? [] : ["select='st(0,max(ld(0),key))'"]
}
