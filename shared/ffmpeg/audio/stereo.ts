/** Both speakers play the one channel at full level. The upmix of ffmpeg itself takes 3 dB away. */
export const MONO_TO_STEREO = 'pan=stereo|c0=c0|c1=c0'

/** The filters that turn one channel into two. More than one stay as they are. */
export function monoToStereo(channels: number): string[] {
  return channels === 1 ? [MONO_TO_STEREO] : []
}
