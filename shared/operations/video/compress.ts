import { z } from 'zod'
import {
  COMPRESSED_CODECS,
  COMPRESSION_LEVELS,
  type CompressedCodec,
  compressedVideo,
  ENCODER_PRESETS,
  FRAME_SIDE_MIN,
  levelRate,
  RATE_RANGES,
  similarVideo,
} from '../../ffmpeg/compressed-video.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize, WEB_AUDIO } from '../../ffmpeg/filters.ts'
import { repeatsFrames } from '../../ffmpeg/repeats-frames.ts'
import type { MediaProbe } from '../../planning/facts.ts'
import { CompressedVideoBody } from '../../planning/result-body.ts'

/**
 * The loss of detail that each level accepts. The fleet searches for the rate factor that causes it. About a fifth of the
 * clips in docs/quality.md lose at least this much with the fixed rate factor of H.264.
 */
const LOSS_MAX = { light: 0.003, medium: 0.0075, strong: 0.016 } as const

const Parameters = z
  .object({
    level: z
      .enum(COMPRESSION_LEVELS)
      .default('medium')
      .describe(
        'Compression level. Samples of the video decide how far it can be compressed before it loses more detail than the level allows',
      ),
    crf: z
      .int()
      .min(0)
      .meta({ maximum: RATE_RANGES.av1.crf_max })
      .optional()
      .describe(
        'Constant rate factor, overrides level: up to 51, with av1 up to 63. Lower values give better quality, and the result may be larger than the input. 0 is raised to 1, because browsers do not play lossless H.264',
      ),
    preset: z
      .enum(ENCODER_PRESETS)
      .default('medium')
      .describe('Encoder preset; slower presets give smaller files'),
    codec: z
      .enum(COMPRESSED_CODECS)
      .default('h264')
      .describe(
        'Video codec. av1 usually makes smaller files of the same quality. hevc makes files of about the same size as h264, for players that require it. Both take longer and do not play on older devices',
      ),
  })
  .check(limitRate)

/** Reduces the file size of a video (Contract: Video operations, Full re-encode). */
export const compress = defineVideoEdit({
  key: 'compress',
  stem: 'compressed',
  title: 'Compress video',
  description:
    'Reduces the file size: H.264 (or the chosen codec) and AAC in a fast-start MP4, up to 1080p. If the result would be larger than the input, the streams are copied instead, and input_kept in the result reports it. Such a copy may be a few bytes larger than the input because the index moves to the front.',
  credits: 3,
  family: 'compress',
  facts: ['probe'],
  parameters: Parameters,
  presets: [
    { label: 'Light: visually lossless', params: { level: 'light' } },
    { label: 'Medium', params: { level: 'medium' } },
    { label: 'Strong: for messengers', params: { level: 'strong' } },
  ],
  result_body: CompressedVideoBody,
  edit({ params, facts: { probe } }) {
    const { level, codec, preset } = params
    const size = encodedSize(probe.video)
    const { crf_max, raise_max, scale } = RATE_RANGES[codec]
    const lowest = levelRate(codec, level, preset)
    const rate = { loss_max: LOSS_MAX[level], lowest, highest: Math.min(crf_max, lowest + raise_max), scale }
    return videoEdit(probe, {
      tracks: 'played',
      encoding: {
        ...(params.crf === undefined
          ? { video: [...similarVideo(codec, { crf: lowest, preset }), ...distantKeyframes(probe)], rate }
          : { video: compressedVideo(codec, { crf: Math.max(1, params.crf), preset }) }),
        audio: WEB_AUDIO,
        // If `crf` is set, callers get that quality regardless of the file size.
        never_larger: params.crf === undefined,
        frame_limit: { side_min: FRAME_SIDE_MIN[codec], field: 'codec' },
      },
      after: withSize(probe, size),
    })
  },
})

/** Repeated frames decode fast, so a seek among them does not need near keyframes, which take most of their bytes. */
const KEYFRAMES_SECONDS = 20
/** The default of x264 and x265. */
const KEYFRAMES_FRAMES = 250

/** Returns the option that places keyframes far apart if the video mostly repeats its frames. */
function distantKeyframes(probe: MediaProbe): string[] {
  if (!repeatsFrames(probe)) return []
  const frames = Math.round(KEYFRAMES_SECONDS * probe.video.frames_per_second)
  return ['-g', String(Math.max(KEYFRAMES_FRAMES, frames))]
}

interface RateParameters {
  crf?: number | undefined
  codec: CompressedCodec
}

/** Refuses a rate factor that the encoder of the codec does not have. */
function limitRate({ value: { crf, codec }, issues }: z.core.ParsePayload<RateParameters>): void {
  const { crf_max } = RATE_RANGES[codec]
  if (crf === undefined || crf <= crf_max) return
  issues.push({
    code: 'too_big',
    origin: 'int',
    maximum: crf_max,
    inclusive: true,
    input: crf,
    path: ['crf'],
  })
}
