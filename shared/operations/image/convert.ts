import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { holdsAlpha, refuseSize } from '../../images/formats.ts'
import { ANIMATIONS, MaxKb, Quality, WebFormat, webOutput } from '../../images/web-output.ts'

/** Images, to another format (Contract: Image operations). Written anew even in the same format. */
export const convert = defineImageEdit({
  key: 'convert',
  stem: 'converted',
  title: 'Convert image',
  description: 'Changes the format: WebP, AVIF, JPEG or PNG, to a size in kilobytes if you like.',
  credits: 1,
  family: 'convert',
  facts: ['image'],
  parameters: z.object({
    format: WebFormat.default('webp').describe(`Format of the result; ${ANIMATIONS}`),
    quality: Quality.optional().describe(
      "Quality; omitted, the format's own default. A PNG gets a palette of as many colours as it takes; without a quality it loses nothing, and keeps 16 bits a channel and an RGB colour profile (CMYK becomes sRGB)",
    ),
    max_kb: MaxKb,
  }),
  presets: [
    { label: 'WebP for the web', params: { format: 'webp', quality: 80 } },
    { label: 'AVIF: the smallest', params: { format: 'avif', quality: 50 } },
    { label: 'JPEG under 1 MB', params: { format: 'jpeg', max_kb: 1024 } },
    { label: 'PNG without loss', params: { format: 'png' } },
  ],
  edit({ params, facts: { image } }) {
    const refusal = refuseSize('format', params.format, image)
    if (refusal !== null) return refusal
    const after = { ...image, has_alpha: image.has_alpha && holdsAlpha(params.format) }
    return imageEdit(image, { output: webOutput({ ...params, never_larger: false }), after })
  },
})
