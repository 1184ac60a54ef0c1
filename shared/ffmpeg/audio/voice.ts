import { z } from 'zod'
import type { TrackLoudness } from '../../planning/facts.ts'

const VOICE_LEVELS = ['light', 'medium', 'strong'] as const

/** Podcasts and phones: speech at -16 LUFS is what players expect (AES TD1008: -16 to -20; Apple: -16). */
const VOICE_LUFS = -16

export const VoiceParameters = z
  .object({
    level: z.enum(VOICE_LEVELS).default('medium').describe('Strength of the filters below'),
    denoise: z.boolean().default(true).describe('Reduces steady noise: hiss, hum, fans'),
    deess: z.boolean().default(true).describe('Softens sibilants'),
    compress: z
      .boolean()
      .default(true)
      .describe('Compresses the dynamic range, so that quiet and loud words are closer in level'),
    loudnorm: z
      .boolean()
      .default(true)
      .describe(
        'Normalizes the loudness to target_lufs (EBU R128, two-pass); false keeps the original loudness',
      ),
    target_lufs: z
      .number()
      .min(-30)
      .max(-10)
      .default(VOICE_LUFS)
      .describe(
        'Target loudness in LUFS: -16 for podcasts and the web, -14 for music platforms, -23 for broadcast',
      ),
  })
  .refine(({ denoise, deess, compress, loudnorm }) => denoise || deess || compress || loudnorm, {
    path: ['loudnorm'],
    error: 'nothing to do. Set denoise, deess, compress or loudnorm to true',
  })
export type VoiceParameters = z.output<typeof VoiceParameters>

/** What the level sets: dB of noise taken away, how eagerly s sounds are softened, ratio of the compressor. */
const STRENGTHS = {
  light: { noise_db: 8, deess: 0.3, ratio: 2 },
  medium: { noise_db: 14, deess: 0.5, ratio: 3 },
  strong: { noise_db: 24, deess: 0.7, ratio: 5 },
} as const

/** The filters work at this loudness, so that what they do doesn't depend on how loud the recording is. */
const WORKING_LUFS = -20
const GAIN_DB_MAX = 50
/** What is less far below the voice than this is no noise. */
const NOISE_DISTANCE_DB = 18
/** afftdn's noise floor stands this far above the RMS of the noise that it takes away. */
const NOISE_FLOOR_ABOVE_RMS_DB = 8

/** afftdn looks at windows of three parts, an 80th of a second each, and gives back the first when it has all. */
const DENOISE_DELAY_SECONDS = 2 / 80

/** The encoder adds up to about 1 dB to a peak: so little is left that none passes -1 dBTP. */
const PEAK_DBFS = -2.2

/** Before anything is measured or filtered: stereo, without rumble. */
export const VOICE_INPUT = ['aformat=sample_rates=48000:channel_layouts=stereo', 'highpass=f=80']

/** The filters that clean a voice, for a track that is this loud; they don't bring it to its final level. */
export function cleanVoice(
  params: VoiceParameters,
  source: { source_lufs: number; noise_dbfs: number | null },
): string[] {
  const { noise_db, deess, ratio } = STRENGTHS[params.level]
  const gain_db = clamp(WORKING_LUFS - source.source_lufs, -GAIN_DB_MAX, GAIN_DB_MAX)
  const noise_dbfs = source.noise_dbfs === null ? null : source.noise_dbfs + gain_db
  return [
    ...VOICE_INPUT,
    `volume=${decibels(gain_db)}`,
    ...(params.denoise && noise_dbfs !== null ? [denoise(noise_db, noise_dbfs)] : []),
    ...(params.deess ? [`deesser=i=${deess}:m=0.5:f=0.5`] : []),
    // The threshold is 0.1, 20 dB under full scale: the loudness that it works at.
    ...(params.compress ? [`acompressor=threshold=0.1:ratio=${ratio}:attack=10:release=200:knee=4`] : []),
  ]
}

function denoise(noise_db: number, noise_dbfs: number): string {
  const floor = Math.min(noise_dbfs, WORKING_LUFS - NOISE_DISTANCE_DB) + NOISE_FLOOR_ABOVE_RMS_DB
  const filter = `afftdn=nr=${noise_db}:nf=${clamp(floor, -80, -20).toFixed(1)}`
  return compensateDelay(filter, DENOISE_DELAY_SECONDS)
}

/** What a filter gives back late comes when it should, and its end is not cut off. */
function compensateDelay(filter: string, delay_seconds: number): string {
  return `apad=pad_dur=${delay_seconds},${filter},atrim=start=${delay_seconds},asetpts=PTS-${delay_seconds}/TB`
}

/**
 * The whole way of one track, cleaned and brought to its level by one gain; only peaks that would pass
 * the limit are held down, without distortion between the samples. null: there is nothing to hear.
 */
export function enhanceTrack(params: VoiceParameters, loudness: TrackLoudness): string[] | null {
  const { source_lufs, filtered } = loudness
  if (source_lufs === null || filtered === null) return null
  const target_lufs = params.loudnorm ? params.target_lufs : source_lufs
  const gain_db = clamp(target_lufs - filtered.integrated_lufs, -GAIN_DB_MAX, GAIN_DB_MAX)
  const is_over = filtered.true_peak_dbtp + gain_db > PEAK_DBFS
  return [
    ...cleanVoice(params, { ...loudness, source_lufs }),
    `volume=${decibels(gain_db)}`,
    ...(is_over ? limitPeaks() : []),
  ]
}

/** At four times the rate, a peak between two samples is one that the limiter sees. */
function limitPeaks(): string[] {
  const limit = (10 ** (PEAK_DBFS / 20)).toFixed(4)
  return [
    'aresample=192000',
    `alimiter=limit=${limit}:attack=2:release=60:level=false:latency=true`,
    'aresample=48000',
  ]
}

function decibels(value: number): string {
  return `${value.toFixed(2)}dB`
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
