import type { AudioTrack, VideoTrack } from '../planning/facts.ts'

/** Cap for re-encodes (1080p). It applies to the shorter side, so portrait videos keep their width. */
const SHORTER_SIDE_MAX = 1080
/** Many H.264 decoders fail above this. Only extreme aspect ratios come near it. */
const LONGER_SIDE_MAX = 4096

/** Returns the size of a re-encoded video: within the cap, with even sides as yuv420p requires. */
export function encodedSize(video: Pick<VideoTrack, 'width' | 'height'>): { width: number; height: number } {
  const shorter = Math.min(video.width, video.height)
  const longer = Math.max(video.width, video.height)
  const scale = Math.min(1, SHORTER_SIDE_MAX / shorter, LONGER_SIDE_MAX / longer)
  return { width: even(video.width * scale), height: even(video.height * scale) }
}

/** Rounds to the nearest even number, at least 2. */
export function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2))
}

/**
 * Counts time in microseconds. `trim` rounds its bounds to the time base of its input, which can be as coarse as a
 * frame.
 */
export const FINE_TIMES = 'settb=AVTB'

/** Formats seconds for ffmpeg: microsecond precision, never with an exponent. */
export function ffmpegSeconds(seconds: number): string {
  return seconds.toFixed(6).replace(/\.?0+$/, '')
}

/** Formats a duration for messages, rounded down so it never exceeds the actual end. */
export function secondsInWords(seconds: number): string {
  return String(Math.floor(seconds * 100) / 100)
}

/** Returns encoder options for H.264 that every browser plays. */
export function webVideo({ crf, preset }: { crf: number; preset: string }): string[] {
  // The five reference frames of "slow" would raise 1080p to level 5.0, which many devices do not support.
  const references = preset === 'slow' ? ['-refs', '4'] : []
  return ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), ...references, '-pix_fmt', 'yuv420p']
}

/** Returns options that map these tracks of an input. */
export function mapTracks(tracks: readonly Pick<AudioTrack, 'index'>[], input = 0): string[] {
  return tracks.flatMap((track) => ['-map', `${input}:${track.index}`])
}

export const WEB_AUDIO = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']

/** Moves the index to the front, so an MP4 can play before it is fully downloaded. */
export const FAST_START = ['-movflags', '+faststart']
