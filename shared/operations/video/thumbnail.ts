import { z } from 'zod'
import type { VideoTrack } from '../facts.ts'
import { pictureFilters } from '../filters.ts'
import { defineOperation } from '../operation.ts'
import { planFrame, stillStep } from './frames.ts'
import { momentOf, refuseBeyondEnd } from './moments.ts'

/** Videos, to one picture of them (specification: Video service). */
export const thumbnail = defineOperation({
  service: 'video',
  key: 'thumbnail',
  title: 'Video thumbnail',
  description: 'Takes one frame as a picture: at a moment, or a bright and sharp one found for you.',
  credits: 1,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    at: z
      .number()
      .min(0)
      .optional()
      .describe('The moment in seconds; omitted, a tenth into the video, or with smart anywhere in it'),
    smart: z
      .boolean()
      .default(false)
      .describe('Looks for a sharp, bright, telling frame, near the moment if one is given'),
    format: z
      .enum(['jpg', 'png', 'webp', 'jpeg'])
      .default('jpg')
      .describe('Format of the picture; jpeg is the same as jpg'),
    width: z
      .int()
      .min(16)
      .max(3840)
      .optional()
      .describe("Width in pixels, the height follows; omitted, the video's own"),
  }),
  presets: [
    { label: 'The best frame', params: { smart: true } },
    { label: 'First frame', params: { at: 0 } },
    { label: 'Small WebP for a list', params: { smart: true, format: 'webp', width: 320 } },
  ],
  plan({ params, facts: { probe } }) {
    const { duration_seconds, video } = probe
    if (params.at !== undefined && params.at > duration_seconds) {
      return refuseBeyondEnd('at', params.at, duration_seconds)
    }
    const frame = planFrame({
      ...momentOf(probe, params),
      picture: pictureFilters(video, pictureSize(video, params.width)),
    })
    const step = stillStep(frame, 'thumbnail', params.format === 'jpeg' ? 'jpg' : params.format)
    return { encode_mode: null, steps: [step], outputs: [{ file: step.output.file }] }
  },
})

function pictureSize(
  video: Pick<VideoTrack, 'width' | 'height'>,
  width = video.width,
): { width: number; height: number } {
  return { width, height: Math.max(1, Math.round((video.height * width) / video.width)) }
}
