import type { VideoTrack } from './facts.ts'

/** Full re-encodes are capped at 1080p: the shorter side, so that portrait clips keep their width. */
const SHORTER_SIDE_MAX = 1080

/** The size of a re-encoded picture: within the cap, and even, as yuv420p wants it. */
export function encodedSize(video: Pick<VideoTrack, 'width' | 'height'>): { width: number; height: number } {
  const scale = Math.min(1, SHORTER_SIDE_MAX / Math.min(video.width, video.height))
  return { width: even(video.width * scale), height: even(video.height * scale) }
}

/** The nearest even whole number, at least 2. */
export function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2))
}

/** H.264 and AAC in an MP4 that every browser plays and that starts before it is loaded whole. */
export function webVideo({ crf, preset }: { crf: number; preset: string }): string[] {
  return ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-pix_fmt', 'yuv420p']
}

export const WEB_AUDIO = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']

export const FAST_START = ['-movflags', '+faststart']
