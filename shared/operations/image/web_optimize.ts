import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { refuseSize } from '../../images/formats.ts'
import { ANIMATIONS, MaxKb, NEVER_LARGER, Quality, WebFormat, webOutput } from '../../images/web-output.ts'
import { CompressedImageBody } from '../../planning/result-body.ts'

/**
 * Structural similarity to the source that a result needs: about the mean of the results with the default quality of
 * the format (docs/quality.md).
 */
const SIMILARITY_MIN = { jpeg: 0.97, webp: 0.97, avif: 0.955, png: undefined }

/** Prepares an image for a web page: sRGB, upright, small and without metadata (Contract: Image operations). */
export const web_optimize = defineImageEdit({
  key: 'web_optimize',
  stem: 'optimized',
  title: 'Optimize for the web',
  description: 'Creates a small file for a web page: WebP or another format, in sRGB, without metadata.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: z.object({
    format: WebFormat.default('webp').describe(`Output format. ${ANIMATIONS}`),
    quality: Quality.optional().describe(
      `Quality from 1 to 100. Default: the lowest quality that looks like the source, ${NEVER_LARGER}. PNG output is lossless unless this is set`,
    ),
    max_kb: MaxKb,
  }),
  presets: [
    { label: 'WebP', params: { format: 'webp' } },
    { label: 'AVIF', params: { format: 'avif' } },
    { label: 'At most 100 KB', params: { format: 'webp', max_kb: 100 } },
  ],
  result_body: CompressedImageBody,
  edit({ params, facts: { image } }) {
    const refusal = refuseSize('format', params.format, image)
    if (refusal !== null) return refusal
    const never_larger = params.quality === undefined
    const is_free = params.quality === undefined && params.max_kb === undefined
    const similarity_min = is_free ? SIMILARITY_MIN[params.format] : undefined
    return imageEdit(image, {
      output: { ...webOutput({ ...params, never_larger, similarity_min }), bits_per_channel: 8 },
      metadata: { strip: 'all', tags: {} },
    })
  },
})
