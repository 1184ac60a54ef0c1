import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize, WEB_AUDIO, webVideo } from '../../ffmpeg/filters.ts'

const CRF = { light: 23, medium: 28, strong: 33 } as const

/** Videos, to a smaller file (Contract: Video operations, Full re-encode). */
export const compress = defineVideoEdit({
  key: 'compress',
  stem: 'compressed',
  title: 'Compress video',
  description:
    'Makes the file smaller: H.264 and AAC in an MP4 that starts at once, at most 1080p. Where that would make the file larger, its video and audio are copied instead, in a container that holds them; input_kept in the result says so. The copy may be a few bytes larger than the input, as the index moves to the front.',
  credits: 3,
  family: 'compress',
  facts: ['probe'],
  parameters: z.object({
    level: z.enum(['light', 'medium', 'strong']).default('medium').describe('How much to compress'),
    crf: z
      .int()
      .min(0)
      .max(51)
      .optional()
      .describe(
        'Constant rate factor, instead of the level; less is better, and may be larger than the input; 0 is written as 1, as browsers play no lossless H.264',
      ),
    preset: z
      .enum(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'])
      .default('medium')
      .describe('Speed of the encoder; slower makes smaller files'),
  }),
  presets: [
    { label: 'Light: hardly visible', params: { level: 'light' } },
    { label: 'Medium', params: { level: 'medium' } },
    { label: 'Strong: for messengers', params: { level: 'strong' } },
  ],
  edit({ params, facts: { probe } }) {
    return videoEdit(probe, {
      tracks: 'played',
      encoding: {
        picture: webVideo({ crf: Math.max(1, params.crf ?? CRF[params.level]), preset: params.preset }),
        sound: WEB_AUDIO,
        // As with images: callers who set the quality get it, whatever the size.
        never_larger: params.crf === undefined,
      },
      after: withSize(probe, encodedSize(probe.video)),
    })
  },
})
