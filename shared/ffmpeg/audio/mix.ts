import { ffmpegSeconds } from '../filters.ts'
import { monoToStereo } from './stereo.ts'
import { keepInSync } from './sync.ts'

/** All that is mixed has this form; without it amix and the compressor would refuse or resample badly. */
const MIX_FORMAT = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo'

/** True peaks of the encoded mix stay under full scale. */
const PEAK_DBFS = -1.5

/** A shorter fade is not heard, and would be written as none. */
const FADE_SECONDS_MIN = 0.001

/** One further sound, as it is laid over a video. Times in seconds of the video. */
export interface MixedTrack {
  start: number
  /** When it falls silent: its own end, or the video's. */
  end: number
  volume: number
  fade_in: number
  fade_out: number
  /** How far it steps back while somebody speaks, in dB; 0: not at all. */
  duck_db: number
  channels: number
}

/** From a decoded sound to one as long as the video, in its place. */
export function placeTrack(track: MixedTrack, video_seconds: number): string[] {
  const length = track.end - track.start
  const { fade_in, fade_out } = fitFades(track, length)
  return [
    // Gaps and odd beginnings, also between two turns of a loop, become silence.
    keepInSync(48_000),
    ...monoToStereo(track.channels),
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

/** Two fades that would overlap share the time there is. */
function fitFades({ fade_in, fade_out }: MixedTrack, length: number): { fade_in: number; fade_out: number } {
  const scale = Math.min(1, length / Math.max(fade_in + fade_out, 0.001))
  return { fade_in: fade_in * scale, fade_out: fade_out * scale }
}

/** From the audio of the video to a track that begins and ends with its frames. */
export function placeOriginal(video_seconds: number): string[] {
  return [keepInSync(48_000), MIX_FORMAT, ...fillUp(video_seconds)]
}

function fillUp(video_seconds: number): string[] {
  return ['apad', `atrim=end=${ffmpegSeconds(video_seconds)}`]
}

/**
 * The compressor that makes room for speech: its key is speech, and its mix bounds how far it goes
 * down. From about -44 dBFS on speech counts; a second after the last word all is back.
 */
export function duckFilter(duck_db: number): string {
  const mix = (1 - 10 ** (-duck_db / 20)).toFixed(4)
  return `sidechaincompress=threshold=0.02:ratio=20:level_sc=4:attack=40:release=500:makeup=1:mix=${mix}`
}

/** Nothing is made quieter because more is mixed; only what would clip is held down. */
export function mixFilters(count: number): string[] {
  const limit = (10 ** (PEAK_DBFS / 20)).toFixed(4)
  return [
    ...(count > 1 ? [`amix=inputs=${count}:normalize=0:duration=first:dropout_transition=0`] : []),
    `alimiter=limit=${limit}:attack=5:release=80:level=false:latency=true`,
  ]
}
