import type { RateScale } from '../planning/steps.ts'
import { webVideo } from './filters.ts'

/** The codecs that `compress` writes. */
export const COMPRESSED_CODECS = ['h264', 'hevc', 'av1'] as const
export type CompressedCodec = (typeof COMPRESSED_CODECS)[number]

export const COMPRESSION_LEVELS = ['light', 'medium', 'strong'] as const
export type CompressionLevel = (typeof COMPRESSION_LEVELS)[number]

/** Presets of x264 and x265. */
export const ENCODER_PRESETS = [
  'ultrafast',
  'superfast',
  'veryfast',
  'faster',
  'fast',
  'medium',
  'slow',
] as const
export type EncoderPreset = (typeof ENCODER_PRESETS)[number]

/** The preset of SVT-AV1 for each of x264. It takes longer by a factor of 1.75 to 3.4 (shared/planning/encode-seconds.ts). */
const AV1_PRESETS: Readonly<Record<EncoderPreset, number>> = {
  ultrafast: 12,
  superfast: 11,
  veryfast: 10,
  faster: 9,
  fast: 9,
  medium: 8,
  slow: 6,
}

/** The rate factors of an encoder. */
interface RateRange {
  /** The highest rate factor that the encoder accepts. */
  crf_max: number
  /** The rate factor of each level without a search. A search never returns a lower one. */
  levels: Readonly<Record<CompressionLevel, number>>
  /** How far a search can raise the rate factor of the level. */
  raise_max: number
  scale: RateScale
}

/** A level gives a similar VMAF with each codec (docs/quality.md). */
export const RATE_RANGES: Readonly<Record<CompressedCodec, RateRange>> = {
  h264: {
    crf_max: 51,
    levels: { light: 24, medium: 29, strong: 34 },
    raise_max: 8,
    scale: { step: 0.5, growth: 0.16 },
  },
  hevc: {
    crf_max: 51,
    levels: { light: 22, medium: 27, strong: 32 },
    raise_max: 9,
    scale: { step: 0.5, growth: 0.14 },
  },
  av1: {
    crf_max: 63,
    levels: { light: 30, medium: 40, strong: 50 },
    raise_max: 23,
    scale: { step: 1, growth: 0.055 },
  },
}

/**
 * Returns the rate factor of a level without a search. The fastest preset of x264 does without the settings of
 * `similarVideo`, so the same quality takes a lower one.
 */
export function levelRate(codec: CompressedCodec, level: CompressionLevel, preset: EncoderPreset): number {
  const rate = RATE_RANGES[codec].levels[level]
  return codec === 'h264' && preset === 'ultrafast' ? rate - 1 : rate
}

/** Smallest frame side that the encoders accept. */
export const FRAME_SIDE_MIN: Readonly<Record<CompressedCodec, number>> = { h264: 2, hevc: 16, av1: 64 }

const QUIET_X265 = 'log-level=error'
/** Also optimizes coefficients, and does not smooth edges after encoding (docs/quality.md). */
const SIMILAR_X265 = 'psy-rd=0.4:aq-strength=0.6:rdoq-level=2:psy-rdoq=0:sao=0'

interface EncoderSettings {
  crf: number
  preset: EncoderPreset
}

/** Returns encoder options for 8-bit video that browsers play. */
export function compressedVideo(codec: CompressedCodec, { crf, preset }: EncoderSettings): string[] {
  const rate = ['-crf', String(crf), '-pix_fmt', 'yuv420p']
  switch (codec) {
    case 'h264':
      return webVideo({ crf, preset })
    case 'hevc':
      return ['-c:v', 'libx265', '-preset', preset, ...rate, '-x265-params', QUIET_X265]
    case 'av1':
      return ['-c:v', 'libsvtav1', '-preset', String(AV1_PRESETS[preset]), ...rate]
  }
}

/**
 * Returns encoder options for a video whose caller chose no rate factor. By default, x264 and x265 add texture that looks rich
 * but is not that of the source; without it, the same similarity takes fewer bytes (docs/quality.md).
 */
export function similarVideo(codec: CompressedCodec, settings: EncoderSettings): string[] {
  const options = compressedVideo(codec, settings)
  if (codec === 'hevc') return [...options.slice(0, -1), `${QUIET_X265}:${SIMILAR_X265}`]
  if (codec === 'av1' || settings.preset === 'ultrafast') return options
  // By default, this preset does not optimize coefficients, which costs more bytes than it saves time.
  const coefficients = settings.preset === 'veryfast' ? ['-trellis', '1'] : []
  return [...options, '-bf', '5', '-psy-rd', '0.4:0', '-aq-strength', '0.4', ...coefficients]
}
