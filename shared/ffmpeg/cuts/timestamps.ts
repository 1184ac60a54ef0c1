import type { MediaProbe } from '../../planning/facts.ts'
import { type PlanRefusal, refuse } from '../../planning/operation.ts'
import { secondsInWords } from '../filters.ts'
import { type FrameNormalization, normalizeFrames } from '../video/normalize-frames.ts'

/** Duration of a video, and of the part missing from a truncated file. */
type Length = Pick<MediaProbe, 'duration_seconds' | 'missing_seconds'>

/**
 * Returns a part that begins at `start` and does not run past the end of the video. Refuses a start beyond the end.
 */
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
  if (missing_seconds === undefined)
    return refuse(field, {
      en: `${field} is ${seconds} s, but the video is only ${length} s long`,
      uk: `${field} — ${seconds} с, а відео триває лише ${length} с`,
      ru: `${field} — ${seconds} с, а видео длится только ${length} с`,
    })
  return refuse(field, {
    en: `${field} is ${seconds} s, but the file is truncated and has only the first ${length} s of the video`,
    uk: `${field} — ${seconds} с, а файл обірваний і містить лише перші ${length} с відео`,
    ru: `${field} — ${seconds} с, а файл оборван и содержит только первые ${length} с видео`,
  })
}

/** Default position of a single frame, as a fraction of the duration. The very start is often black or a title. */
const DEFAULT_POSITION = 0.1

/** The frame to extract. If `at` is null, any frame of the video can be chosen. */
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
  /** Pixels per frame. */
  pixels: number
}

/** Returns the request for the frame that the parameters select. */
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
