import { z } from 'zod'
import type { TrackLoudness } from '../../planning/facts.ts'
import { packTexts } from '../../text/texts.ts'

const VOICE_LEVELS = ['light', 'medium', 'strong'] as const

/** Loudness that players expect for speech (AES TD1008: -16 to -20 LUFS; Apple: -16 LUFS). */
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
    error: packTexts({
      en: 'nothing to do. Set denoise, deess, compress or loudnorm to true',
      uk: 'немає що виконувати. Укажіть true для denoise, deess, compress або loudnorm',
      ru: 'нечего выполнять. Укажите true для denoise, deess, compress или loudnorm',
    }),
  })
export type VoiceParameters = z.output<typeof VoiceParameters>

/** Settings for each level: noise reduction in dB, de-esser intensity, compressor ratio. */
const STRENGTHS = {
  light: { noise_db: 8, deess: 0.3, ratio: 2 },
  medium: { noise_db: 14, deess: 0.5, ratio: 3 },
  strong: { noise_db: 24, deess: 0.7, ratio: 5 },
} as const

/** Loudness at which the filters run, so their effect does not depend on the recording level. */
const WORKING_LUFS = -20
const GAIN_DB_MAX = 50
/** Audio closer than this to the level of the voice is not treated as noise. */
const NOISE_DISTANCE_DB = 18
/** How far afftdn's noise floor lies above the RMS of the noise that it removes. */
const NOISE_FLOOR_ABOVE_RMS_DB = 8

/** Delay of afftdn: it buffers three windows of 1/80 s and then outputs the first. */
const DENOISE_DELAY_SECONDS = 2 / 80

/** The encoder raises peaks by up to about 1 dB, so this limit keeps the result below -1 dBTP. */
const PEAK_DBFS = -2.2

/** Filters that run before any measurement. They convert to stereo and remove rumble. */
export const VOICE_INPUT = ['aformat=sample_rates=48000:channel_layouts=stereo', 'highpass=f=80']

/** Returns the filters that clean a voice of this loudness. The final gain is not included. */
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
    // The threshold 0.1 is 20 dB below full scale, the loudness at which the filters run.
    ...(params.compress ? [`acompressor=threshold=0.1:ratio=${ratio}:attack=10:release=200:knee=4`] : []),
  ]
}

function denoise(noise_db: number, noise_dbfs: number): string {
  const floor = Math.min(noise_dbfs, WORKING_LUFS - NOISE_DISTANCE_DB) + NOISE_FLOOR_ABOVE_RMS_DB
  const filter = `afftdn=nr=${noise_db}:nf=${clamp(floor, -80, -20).toFixed(1)}`
  return compensateDelay(filter, DENOISE_DELAY_SECONDS)
}

/** Compensates the delay of a filter and keeps its last samples. */
function compensateDelay(filter: string, delay_seconds: number): string {
  return `apad=pad_dur=${delay_seconds},${filter},atrim=start=${delay_seconds},asetpts=PTS-${delay_seconds}/TB`
}

/**
 * Returns all filters for one track: cleaning, one gain, and a limiter if peaks would exceed the limit.
 * @returns null for silence.
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

/** Limits peaks at four times the sample rate, so the limiter also sees the peaks between samples. */
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
