import type { ImageFacts } from '../../shared/planning/facts.ts'
import { failWith } from './failure.ts'

/**
 * Limits that no ordinary file exceeds. A small file that declares more would keep a worker busy or fill its
 * memory. The pixel limit allows 8K, and the frame rate limit allows slow-motion cameras.
 */
const STREAMS_MAX = 256
const CHAPTERS_MAX = 1000
export const VIDEO_PIXELS_MAX = 8192 * 4608
const FRAMES_PER_SECOND_MAX = 1000
const ANIMATION_FRAMES_MAX = 5000

/** The declared properties of a file that have limits. */
export interface DeclaredProperties {
  streams: readonly { width: number; height: number; avg_frame_rate?: number | null }[]
  chapters: readonly unknown[]
  duration_seconds: number
}

/**
 * Refuses a file that declares more than the limits allow.
 * @throws JobFailure input_too_large
 */
export function checkDeclared({ streams, chapters, duration_seconds }: DeclaredProperties): void {
  if (streams.length > STREAMS_MAX) throw failWith('too_many_tracks', { limit: STREAMS_MAX })
  if (chapters.length > CHAPTERS_MAX) throw failWith('too_many_chapters', { limit: CHAPTERS_MAX })
  const large = streams.find(({ width, height }) => width * height > VIDEO_PIXELS_MAX)
  if (large !== undefined) {
    const megapixels = Math.floor(VIDEO_PIXELS_MAX / 1_000_000)
    throw failWith('video_resolution_too_high', { width: large.width, height: large.height, megapixels })
  }
  const fast = streams.find(({ avg_frame_rate }) => isTooFast(avg_frame_rate ?? 0, duration_seconds))
  if (fast !== undefined) {
    const rate = Math.round(fast.avg_frame_rate ?? 0)
    throw failWith('frame_rate_too_high', { rate, limit: FRAMES_PER_SECOND_MAX })
  }
}

/** Checks whether the frame rate is too high. A single short frame can declare any rate without causing harm. */
function isTooFast(frames_per_second: number, duration_seconds: number): boolean {
  return frames_per_second > FRAMES_PER_SECOND_MAX && frames_per_second * duration_seconds > 2
}

/**
 * Limits the number of frames in an animation. The number of pixels is limited when the image is opened.
 * @throws JobFailure input_too_large
 */
export function checkFrames({ pages }: Pick<ImageFacts, 'pages'>): void {
  if (pages > ANIMATION_FRAMES_MAX) throw failWith('animation_too_long')
}
