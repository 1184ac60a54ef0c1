import type { MediaProbe } from '../planning/facts.ts'

/** Recordings of screens in docs/quality.md have up to 0.02 bits per pixel, and those of cameras have more, except a still life. */
const BITS_PER_PIXEL_MAX = 0.025
/** Audio is counted with this bit rate, which is typical. */
const AUDIO_BITS_PER_SECOND = 128_000

/** Returns whether a video mostly repeats its frames, as recordings of screens do, judged by the bits of its source. */
export function repeatsFrames({ size_bytes, duration_seconds, video, audio }: MediaProbe): boolean {
  if (size_bytes === undefined) return false
  const bits_per_second = (8 * size_bytes) / duration_seconds - audio.length * AUDIO_BITS_PER_SECOND
  const pixels_per_second = video.width * video.height * video.frames_per_second
  return bits_per_second < BITS_PER_PIXEL_MAX * pixels_per_second
}
