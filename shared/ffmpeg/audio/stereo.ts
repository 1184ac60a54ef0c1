/** Plays a mono channel on both speakers at full level. ffmpeg's default upmix attenuates it by 3 dB. */
export const MONO_TO_STEREO = 'pan=stereo|c0=c0|c1=c0'

/**
 * Downmixes surround sound in floating point, as ffmpeg does for AAC, so speech keeps its level. Loud passages
 * whose sum exceeds full scale are limited instead of clipped.
 */
export const SURROUND_TO_STEREO = [
  'aformat=sample_fmts=fltp:channel_layouts=stereo',
  'alimiter=limit=0.98:attack=5:release=50:level=false:latency=true',
].join(',')

/** Returns the filters that convert mono or surround sound to stereo. */
export function toStereo(channels: number): string[] {
  if (channels === 1) return [MONO_TO_STEREO]
  return channels > 2 ? [SURROUND_TO_STEREO] : []
}
