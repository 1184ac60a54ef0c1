import { z } from 'zod'
import { frameRequest, refuseBeyondEnd } from '../../ffmpeg/cuts/timestamps.ts'
import { alphaLoss } from '../../ffmpeg/video/alpha.ts'
import { frameFilters } from '../../ffmpeg/video/colors.ts'
import type { Size } from '../../ffmpeg/video/frame-size.ts'
import { planFrame, stillStep } from '../../ffmpeg/video/frames.ts'
import type { VideoTrack } from '../../planning/facts.ts'
import { defineOperation, type PlanRefusal, refuse } from '../../planning/operation.ts'
import { FrameBody } from '../../planning/result-body.ts'

const SIDES_MAX = { jpg: 65_500, png: 65_500, webp: 16_383 } as const
const PIXELS_MAX = 64_000_000

/** Extracts one frame as an image (Contract: Video operations). */
export const thumbnail = defineOperation({
  service: 'video',
  key: 'thumbnail',
  title: 'Video thumbnail',
  description:
    'Extracts one frame as an image: at a timestamp, or a sharp and bright frame found automatically.',
  credits: 1,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    at: z
      .number()
      .min(0)
      .optional()
      .describe('Timestamp in seconds. Default: 10% into the video, or the whole video with smart'),
    smart: z
      .boolean()
      .default(false)
      .describe('Searches for a sharp, bright, detailed frame, near at if it is set'),
    format: z
      .enum(['jpg', 'png', 'webp', 'jpeg'])
      .default('jpg')
      .describe('Output format; jpeg is an alias of jpg'),
    width: z
      .int()
      .min(16)
      .max(3840)
      .optional()
      .describe('Width in pixels; the height keeps the aspect ratio. Default: the width of the video'),
  }),
  presets: [
    { label: 'Best frame', params: { smart: true } },
    { label: 'First frame', params: { at: 0 } },
    { label: 'Small WebP for a list', params: { smart: true, format: 'webp', width: 320 } },
  ],
  result_body: FrameBody,
  plan({ params, facts: { probe } }) {
    const { duration_seconds, video } = probe
    if (params.at !== undefined && params.at > duration_seconds) {
      return refuseBeyondEnd('at', params.at, probe)
    }
    const size = frameSize(video, params.width)
    const format = params.format === 'jpeg' ? 'jpg' : params.format
    const refusal = refuseLarge(size, format, params.width === undefined ? 'format' : 'width')
    if (refusal !== null) return refusal
    const frame = planFrame({ ...frameRequest(probe, params), filters: frameFilters(video, size) })
    const step = stillStep(frame, 'thumbnail', format)
    const body = alphaLoss(video)
    return { encode_mode: null, steps: [step], outputs: [{ file: step.output.file }], body }
  },
})

function frameSize(video: Pick<VideoTrack, 'width' | 'height'>, width = video.width): Size {
  return { width, height: Math.max(1, Math.round((video.height * width) / video.width)) }
}

/** Refuses dimensions beyond the limits of the format or of processing time. */
function refuseLarge(
  { width, height }: Size,
  format: keyof typeof SIDES_MAX,
  field: string,
): PlanRefusal | null {
  const side_max = SIDES_MAX[format]
  const is_small = Math.max(width, height) <= side_max && width * height <= PIXELS_MAX
  if (is_small) return null
  const megapixels_max = PIXELS_MAX / 1e6
  return refuse(field, {
    en: `the image would be ${width} x ${height} pixels, but the limit for ${format} is ${side_max} pixels per side and ${megapixels_max} megapixels. Use a smaller width`,
    uk: `розмір зображення був би ${width} x ${height} пікселів, а обмеження для ${format} — ${side_max} пікселів на сторону і ${megapixels_max} Мп. Укажіть меншу ширину`,
    ru: `размер изображения был бы ${width} x ${height} пикселей, а ограничение для ${format} — ${side_max} пикселей на сторону и ${megapixels_max} Мп. Укажите меньшую ширину`,
  })
}
