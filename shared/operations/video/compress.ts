import { z } from 'zod'
import { encodedSize, FAST_START, mapTracks, pictureFilters, WEB_AUDIO, webVideo } from '../filters.ts'
import { defineOperation } from '../operation.ts'
import { SOURCE } from '../steps.ts'

const CRF = { light: 23, medium: 28, strong: 33 } as const

/** Videos, to a smaller file (specification: Video service; Encoding behaviour, full re-encode). */
export const compress = defineOperation({
  service: 'video',
  key: 'compress',
  title: 'Compress video',
  description: 'Makes the file smaller: H.264 and AAC in an MP4 that starts at once, at most 1080p.',
  credits: 3,
  accepts: ['video'],
  family: 'compress',
  facts: ['probe'],
  parameters: z.object({
    level: z.enum(['light', 'medium', 'strong']).default('medium').describe('How much to compress'),
    crf: z
      .int()
      .min(0)
      .max(51)
      .optional()
      .describe('Constant rate factor, instead of the level; less is better'),
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
  plan({ params, facts: { probe } }) {
    const { video } = probe
    const output = 'compressed.mp4'
    return {
      encode_mode: 'encode',
      steps: [
        {
          kind: 'ffmpeg',
          inputs: [{ file: SOURCE, options: [] }],
          filter_graph: `[0:${video.index}]${pictureFilters(video, encodedSize(video))}[video]`,
          output: {
            file: output,
            options: [
              ...['-map', '[video]', ...mapTracks(probe.audio.slice(0, 1))],
              ...webVideo({ crf: params.crf ?? CRF[params.level], preset: params.preset }),
              ...WEB_AUDIO,
              ...FAST_START,
            ],
          },
          output_duration_seconds: probe.duration_seconds,
        },
      ],
      outputs: [{ file: output }],
    }
  },
})
