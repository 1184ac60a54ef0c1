import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { refuseSize, supportsAlpha } from '../../images/formats.ts'
import { ANIMATIONS, MaxKb, Quality, WebFormat, webOutput } from '../../images/web-output.ts'
import { SizedImageBody } from '../../planning/result-body.ts'

/**
 * Converts an image to another format (Contract: Image operations). Re-encodes it even if the format stays
 * the same.
 */
export const convert = defineImageEdit({
  key: 'convert',
  stem: 'converted',
  title: 'Convert image',
  description: 'Converts the image to WebP, AVIF, JPEG or PNG, optionally within a maximum file size.',
  credits: 1,
  family: 'convert',
  facts: ['image'],
  parameters: z.object({
    format: WebFormat.default('webp').describe(`Output format. ${ANIMATIONS}`),
    quality: Quality.optional().describe(
      'Quality from 1 to 100. Default: the default of the format. PNG output is lossless and keeps 16 bits per channel and an RGB color profile (CMYK is converted to sRGB); if quality is set, it uses a color palette instead',
    ),
    max_kb: MaxKb,
  }),
  presets: [
    { label: 'WebP for the web', params: { format: 'webp', quality: 80 } },
    { label: 'AVIF: smallest file', params: { format: 'avif', quality: 50 } },
    { label: 'JPEG under 1 MB', params: { format: 'jpeg', max_kb: 1024 } },
    { label: 'Lossless PNG', params: { format: 'png' } },
  ],
  result_body: SizedImageBody,
  edit({ params, facts: { image } }) {
    const refusal = refuseSize('format', params.format, image)
    if (refusal !== null) return refusal
    const after = { ...image, has_alpha: image.has_alpha && supportsAlpha(params.format) }
    return imageEdit(image, { output: webOutput({ ...params, never_larger: false }), after })
  },
})
