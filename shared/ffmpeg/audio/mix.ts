import { ffmpegSeconds } from '../filters.ts'
import { toStereo } from './stereo.ts'
import { keepInSync } from './sync.ts'

/** Common format of all mixed audio. Without it, amix and the compressor would fail or resample badly. */
const MIX_FORMAT = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo'

/** Peak limit that keeps the true peaks of the encoded mix below full scale. */
const PEAK_DBFS = -1.5

/** Shorter fades are inaudible and would be formatted as zero. */
const FADE_SECONDS_MIN = 0.001

/** An audio track to mix into a video. Times are in seconds from the start of the video. */
export interface MixedTrack {
  start: number
  /** End of the track or of the video, whichever comes first. */
  end: number
  volume: number
  fade_in: number
  fade_out: number
  /** Attenuation in dB while someone speaks; 0 for none. */
  duck_db: number
  channels: number
}

/**
 * Returns the filters that place a decoded track at its start time and pad it to the duration of the video.
 */
export function placeTrack(track: MixedTrack, video_seconds: number): string[] {
  const length = track.end - track.start
  const { fade_in, fade_out } = fitFades(track, length)
  return [
    // Turns gaps into silence, including a late start and the seams of a loop.
    keepInSync(48_000),
    ...toStereo(track.channels),
    MIX_FORMAT,
    `atrim=end=${ffmpegSeconds(length)}`,
    ...(track.volume === 1 ? [] : [`volume=${track.volume}`]),
    ...(fade_in >= FADE_SECONDS_MIN ? [`afade=t=in:st=0:d=${ffmpegSeconds(fade_in)}`] : []),
    ...(fade_out >= FADE_SECONDS_MIN
      ? [`afade=t=out:st=${ffmpegSeconds(length - fade_out)}:d=${ffmpegSeconds(fade_out)}`]
      : []),
    ...(track.start > 0 ? [`adelay=delays=${Math.round(track.start * 48_000)}S:all=1`] : []),
    ...fillUp(video_seconds),
  ]
}

/** Shortens overlapping fades in proportion. */
function fitFades({ fade_in, fade_out }: MixedTrack, length: number): { fade_in: number; fade_out: number } {
  const scale = Math.min(1, length / Math.max(fade_in + fade_out, 0.001))
  return { fade_in: fade_in * scale, fade_out: fade_out * scale }
}

/** Returns the filters that pad the audio of the video to the duration of its frames. */
export function placeOriginal(video_seconds: number): string[] {
  return [keepInSync(48_000), MIX_FORMAT, ...fillUp(video_seconds)]
}

function fillUp(video_seconds: number): string[] {
  return ['apad', `atrim=end=${ffmpegSeconds(video_seconds)}`]
}

/**
 * Returns the compressor that lowers a track under speech. Its `mix` limits the attenuation. It reacts to speech
 * above about -44 dBFS, and releases within a second of the last word.
 */
export function duckFilter(duck_db: number): string {
  const mix = (1 - 10 ** (-duck_db / 20)).toFixed(4)
  return `sidechaincompress=threshold=0.02:ratio=20:level_sc=4:attack=40:release=500:makeup=1:mix=${mix}`
}

/** Returns the filters that mix without lowering any track; a limiter catches peaks that would clip. */
export function mixFilters(count: number): string[] {
  const limit = (10 ** (PEAK_DBFS / 20)).toFixed(4)
  return [
    ...(count > 1 ? [`amix=inputs=${count}:normalize=0:duration=first:dropout_transition=0`] : []),
    `alimiter=limit=${limit}:attack=5:release=80:level=false:latency=true`,
  ]
}
