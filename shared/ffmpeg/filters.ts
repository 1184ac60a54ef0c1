import type { AudioTrack, VideoTrack } from '../planning/facts.ts'

/** Full re-encodes are capped at 1080p: the shorter side, so that portrait clips keep their width. */
const SHORTER_SIDE_MAX = 1080
/** More than this, and many players' H.264 decoders give up; only extreme strips come near it. */
const LONGER_SIDE_MAX = 4096

/** The size of a re-encoded picture: within the cap, and even, as yuv420p wants it. */
export function encodedSize(video: Pick<VideoTrack, 'width' | 'height'>): { width: number; height: number } {
  const shorter = Math.min(video.width, video.height)
  const longer = Math.max(video.width, video.height)
  const scale = Math.min(1, SHORTER_SIDE_MAX / shorter, LONGER_SIDE_MAX / longer)
  return { width: even(video.width * scale), height: even(video.height * scale) }
}

/** The nearest even whole number, at least 2. */
export function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2))
}

/**
 * Counts time in microseconds. `trim` rounds its bounds to the time base of its input, which may be as coarse as
 * a frame.
 */
export const FINE_TIMES = 'settb=AVTB'

/** A number of seconds as ffmpeg reads it: to the microsecond, never with an exponent. */
export function ffmpegSeconds(seconds: number): string {
  return seconds.toFixed(6).replace(/\.?0+$/, '')
}

/** A length as a person is told it: rounded down, so that it is not beyond the end itself. */
export function secondsInWords(seconds: number): string {
  return String(Math.floor(seconds * 100) / 100)
}

/** H.264 that every browser plays. */
export function webVideo({ crf, preset }: { crf: number; preset: string }): string[] {
  // The five reference frames of "slow" would raise 1080p to level 5.0, which many devices refuse.
  const references = preset === 'slow' ? ['-refs', '4'] : []
  return ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), ...references, '-pix_fmt', 'yuv420p']
}

/** Maps just these tracks of an input. */
export function mapTracks(tracks: readonly Pick<AudioTrack, 'index'>[], input = 0): string[] {
  return tracks.flatMap((track) => ['-map', `${input}:${track.index}`])
}

export const WEB_AUDIO = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']

/** Puts the index first, so that an MP4 starts to play before it is loaded whole. */
export const FAST_START = ['-movflags', '+faststart']
