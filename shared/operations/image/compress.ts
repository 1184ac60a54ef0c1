import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { refuseSize } from '../../images/formats.ts'
import { ANIMATIONS, MaxKb, NEVER_LARGER, Quality, WebFormat, webOutput } from '../../images/web-output.ts'
import { CompressedImageBody } from '../../planning/result-body.ts'

const QUALITY_DEFAULT = 75

/**
 * Reduces the file size without changing the dimensions (Contract: Image operations). Unless `quality` is set, the
 * result is no larger than the input where the format allows it.
 */
export const compress = defineImageEdit({
  key: 'compress',
  stem: 'compressed',
  title: 'Compress image',
  description: 'Reduces the file size, by quality or to a maximum size in kilobytes.',
  credits: 1,
  family: 'compress',
  facts: ['image'],
  parameters: z.object({
    quality: Quality.optional().describe(
      `Quality from 1 to 100. Default: ${QUALITY_DEFAULT}, ${NEVER_LARGER}. PNG and GIF use fewer colors at lower quality`,
    ),
    format: WebFormat.optional().describe(`Output format. Default: the format of the input. ${ANIMATIONS}`),
    max_kb: MaxKb,
  }),
  presets: [
    { label: 'Balanced', params: { quality: 75 } },
    { label: 'Strong', params: { quality: 50 } },
    { label: 'Under 200 KB', params: { max_kb: 200 } },
  ],
  result_body: CompressedImageBody,
  edit({ params, facts: { image } }) {
    const refusal = params.format === undefined ? null : refuseSize('format', params.format, image)
    if (refusal !== null) return refusal
    const { quality = QUALITY_DEFAULT } = params
    const never_larger = params.quality === undefined
    return imageEdit(image, { output: webOutput({ ...params, quality, never_larger }) })
  },
})
