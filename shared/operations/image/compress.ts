import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { refuseSize } from '../../images/formats.ts'
import { ANIMATIONS, MaxKb, NEVER_LARGER, Quality, WebFormat, webOutput } from '../../images/web-output.ts'

const QUALITY_DEFAULT = 75

/**
 * Images, to a smaller file of the same size in pixels (Contract: Image operations). Where nobody asked
 * for a quality, the result is not larger than the input as long as the format can do it.
 */
export const compress = defineImageEdit({
  key: 'compress',
  stem: 'compressed',
  title: 'Compress image',
  description: 'Makes the file smaller, by quality or to a size in kilobytes.',
  credits: 1,
  family: 'compress',
  facts: ['image'],
  parameters: z.object({
    quality: Quality.optional().describe(
      `Quality; omitted, ${QUALITY_DEFAULT}, ${NEVER_LARGER}. PNG and GIF keep fewer colours`,
    ),
    format: WebFormat.optional().describe(`Format of the result; omitted, the picture's own; ${ANIMATIONS}`),
    max_kb: MaxKb,
  }),
  presets: [
    { label: 'Balanced', params: { quality: 75 } },
    { label: 'Strong', params: { quality: 50 } },
    { label: 'Under 200 KB', params: { max_kb: 200 } },
  ],
  edit({ params, facts: { image } }) {
    const refusal = params.format === undefined ? null : refuseSize('format', params.format, image)
    if (refusal !== null) return refusal
    const { quality = QUALITY_DEFAULT } = params
    const never_larger = params.quality === undefined
    return imageEdit(image, { output: webOutput({ ...params, quality, never_larger }) })
  },
})
