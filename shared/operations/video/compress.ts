import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize, similarVideo, WEB_AUDIO, webVideo } from '../../ffmpeg/filters.ts'
import { CompressedVideoBody } from '../../planning/result-body.ts'

/**
 * Videos that are too short to sample are encoded with `crf`. For all others, the fleet searches for the rate factor at
 * which they lose this much detail: as much as a fifth of the clips in docs/quality.md lose with `crf`.
 */
const LEVELS = {
  light: { crf: 23, loss_max: 0.003 },
  medium: { crf: 28, loss_max: 0.0075 },
  strong: { crf: 33, loss_max: 0.016 },
} as const
/** How far a search can raise the rate factor. */
const RAISE_MAX = 8

/** Reduces the file size of a video (Contract: Video operations, Full re-encode). */
export const compress = defineVideoEdit({
  key: 'compress',
  stem: 'compressed',
  title: 'Compress video',
  description:
    'Reduces the file size: H.264 and AAC in a fast-start MP4, up to 1080p. If the result would be larger than the input, the streams are copied instead, and input_kept in the result reports it. Such a copy may be a few bytes larger than the input because the index moves to the front.',
  credits: 3,
  family: 'compress',
  facts: ['probe'],
  parameters: z.object({
    level: z
      .enum(['light', 'medium', 'strong'])
      .default('medium')
      .describe(
        'Compression level. Samples of the video decide how far it can be compressed before it loses more detail than the level allows',
      ),
    crf: z
      .int()
      .min(0)
      .max(51)
      .optional()
      .describe(
        'Constant rate factor, overrides level. Lower values give better quality, and the result may be larger than the input. 0 is raised to 1, because browsers do not play lossless H.264',
      ),
    preset: z
      .enum(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'])
      .default('medium')
      .describe('Encoder preset; slower presets give smaller files'),
  }),
  presets: [
    { label: 'Light: visually lossless', params: { level: 'light' } },
    { label: 'Medium', params: { level: 'medium' } },
    { label: 'Strong: for messengers', params: { level: 'strong' } },
  ],
  result_body: CompressedVideoBody,
  edit({ params, facts: { probe } }) {
    const { preset } = params
    const { crf, loss_max } = LEVELS[params.level]
    const rate = { loss_max, lowest: crf, highest: crf + RAISE_MAX }
    return videoEdit(probe, {
      tracks: 'played',
      encoding: {
        ...(params.crf === undefined
          ? { video: [...webVideo({ crf, preset }), ...similarVideo(preset)], rate }
          : { video: webVideo({ crf: Math.max(1, params.crf), preset }) }),
        audio: WEB_AUDIO,
        // If `crf` is set, callers get that quality regardless of the file size.
        never_larger: params.crf === undefined,
      },
      after: withSize(probe, encodedSize(probe.video)),
    })
  },
})
