import type { MediaProbe } from '../../planning/facts.ts'
import { type PlanRefusal, refuse } from '../../planning/operation.ts'
import { secondsInWords } from '../filters.ts'
import { type FrameNormalization, normalizeFrames } from '../video/normalize-frames.ts'

/** How long a video is, and how much longer it was before it was cut off. */
type Length = Pick<MediaProbe, 'duration_seconds' | 'missing_seconds'>

/** A part of a video that begins at `start` and is no longer than what is left; refused beyond the end. */
export function partOf(
  probe: Length,
  { start, duration }: { start: number; duration: number },
): { start: number; seconds: number } | PlanRefusal {
  const rest = probe.duration_seconds - start
  if (start > 0 && rest <= 0) return refuseBeyondEnd('start', start, probe)
  return { start, seconds: Math.min(duration, rest) }
}

export function refuseBeyondEnd(
  field: string,
  seconds: number,
  { duration_seconds, missing_seconds }: Length,
): PlanRefusal {
  const length = secondsInWords(duration_seconds)
  const reason =
    missing_seconds === undefined
      ? `the video is only ${length} s long`
      : `the file is truncated and has only the first ${length} s of the video`
  return refuse(field, `${field} is ${seconds} s, but ${reason}`)
}

/** Where a video is shown by one picture, the very start is too often black or a title. */
const DEFAULT_POSITION = 0.1

/** Where a picture of a video is looked for; `at` null is anywhere in it. */
export interface FrameRequest
  extends Pick<
    MediaProbe,
    | 'container'
    | 'clock_restarts'
    | 'clock_start_seconds'
    | 'has_short_probe'
    | 'duration_seconds'
    | 'size_bytes'
  > {
  at: number | null
  smart: boolean
  track: number
  codec: string
  normalization: FrameNormalization
  /** Of one frame. */
  pixels: number
}

/** The moment that parameters name, as planFrame takes it. */
export function frameRequest(
  {
    container,
    clock_restarts,
    clock_start_seconds,
    has_short_probe,
    duration_seconds,
    size_bytes,
    video,
  }: MediaProbe,
  { at, smart }: { at?: number | undefined; smart: boolean },
): FrameRequest {
  const timestamp = at ?? (smart ? null : duration_seconds * DEFAULT_POSITION)
  const pixels = video.width * video.height
  return {
    ...{ container, clock_restarts, clock_start_seconds, has_short_probe, duration_seconds, size_bytes },
    ...{ at: timestamp, smart, track: video.index, codec: video.codec },
    ...{ normalization: normalizeFrames({ container, video }), pixels },
  }
}
