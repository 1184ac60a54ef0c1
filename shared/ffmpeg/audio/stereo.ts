/** Plays the channel on both speakers at full level. ffmpeg's own upmix attenuates it by 3 dB. */
export const MONO_TO_STEREO = 'pan=stereo|c0=c0|c1=c0'

/** Returns the filters that upmix mono to stereo; none for more channels. */
export function monoToStereo(channels: number): string[] {
  return channels === 1 ? [MONO_TO_STEREO] : []
}
