import type { MediaProbe } from '../facts.ts'
import { secondsInWords } from '../filters.ts'
import { type PlanRefusal, refuse } from '../operation.ts'
import { type Steady, steadyPicture } from './steady.ts'

/** A part of a video that begins at `start` and is no longer than what is left; refused beyond the end. */
export function partOf(
  duration_seconds: number,
  { start, duration }: { start: number; duration: number },
): { start: number; seconds: number } | PlanRefusal {
  const rest = duration_seconds - start
  if (start > 0 && rest <= 0) return refuseBeyondEnd('start', start, duration_seconds)
  return { start, seconds: Math.min(duration, rest) }
}

export function refuseBeyondEnd(field: string, seconds: number, duration_seconds: number): PlanRefusal {
  return refuse(
    field,
    `${field} is ${seconds} s, but the video is only ${secondsInWords(duration_seconds)} s long`,
  )
}

/** Where a video is shown by one picture, the very start is too often black or a title. */
const DEFAULT_POSITION = 0.1

/** Where a picture of a video is looked for; `at` null is anywhere in it. */
export interface Moment
  extends Pick<
    MediaProbe,
    'container' | 'clock_restarts' | 'told_early' | 'duration_seconds' | 'size_bytes'
  > {
  at: number | null
  smart: boolean
  track: number
  codec: string
  steady: Steady
  /** Of one frame. */
  pixels: number
}

/** The moment that parameters name, as planFrame takes it. */
export function momentOf(
  { container, clock_restarts, told_early, duration_seconds, size_bytes, video }: MediaProbe,
  { at, smart }: { at?: number | undefined; smart: boolean },
): Moment {
  const moment = at ?? (smart ? null : duration_seconds * DEFAULT_POSITION)
  const pixels = video.width * video.height
  return {
    ...{ container, clock_restarts, told_early, duration_seconds, size_bytes },
    ...{ at: moment, smart, track: video.index, codec: video.codec },
    ...{ steady: steadyPicture({ container, video }), pixels },
  }
}
