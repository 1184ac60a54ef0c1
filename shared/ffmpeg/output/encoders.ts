import { similarVideo } from '../compressed-video.ts'
import type { RateTarget } from '../edit.ts'
import { WEB_AUDIO } from '../filters.ts'
import { RATE_TARGETS } from '../rate/targets.ts'
import type { VideoContainer } from './containers.ts'

/** Maps ffmpeg encoders to the codecs they produce (ffprobe's names). */
const CODECS: Record<string, string> = {
  libx264: 'h264',
  libx265: 'hevc',
  libsvtav1: 'av1',
  'libvpx-vp9': 'vp9',
  aac: 'aac',
  libmp3lame: 'mp3',
  libopus: 'opus',
}

/** All settings are close to visually lossless at a moderate encoding time. */
export const VIDEO_ENCODERS = {
  libx264: similarVideo('h264', { crf: RATE_TARGETS.default.lowest, preset: 'veryfast' }),
  libx265: similarVideo('hevc', { crf: RATE_TARGETS.hevc.lowest, preset: 'fast' }),
  'libvpx-vp9': [
    ...['-c:v', 'libvpx-vp9', '-crf', String(RATE_TARGETS.vp9.lowest), '-b:v', '0', '-pix_fmt', 'yuv420p'],
    ...['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1', '-tile-columns', '2'],
  ],
} as const satisfies Record<string, string[]>

/** The quality that each encoder should give. */
export const VIDEO_RATES: Readonly<Record<keyof typeof VIDEO_ENCODERS, RateTarget>> = {
  libx264: RATE_TARGETS.default,
  libx265: RATE_TARGETS.hevc,
  'libvpx-vp9': RATE_TARGETS.vp9,
}

/** All encoders downmix to stereo. */
export const AUDIO_ENCODERS = {
  aac: WEB_AUDIO,
  libmp3lame: ['-c:a', 'libmp3lame', '-b:a', '192k', '-ac', '2'],
  libopus: ['-c:a', 'libopus', '-b:a', '128k', '-ac', '2'],
} as const satisfies Record<string, string[]>

/** Options of a video encoder, and the quality that its rate factor should give. */
export interface VideoEncoder {
  options: string[]
  rate: RateTarget | undefined
}

export function defaultVideoEncoder(container: VideoContainer): VideoEncoder {
  const name = container === 'webm' ? 'libvpx-vp9' : 'libx264'
  return { options: VIDEO_ENCODERS[name], rate: VIDEO_RATES[name] }
}

export function defaultAudioEncoder(container: VideoContainer): string[] {
  return AUDIO_ENCODERS[container === 'webm' ? 'libopus' : 'aac']
}

/** Returns the codec that these encoder options produce: ["-c:v", "libx264", …] → "h264". */
export function codecOf(options: readonly string[]): string | null {
  const named = options.findIndex((option) => option === '-c:v' || option === '-c:a')
  const encoder = named < 0 ? undefined : options[named + 1]
  return encoder === undefined ? null : (CODECS[encoder] ?? encoder)
}
