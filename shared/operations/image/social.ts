import { z } from 'zod'
import { Color } from '../../ffmpeg/color.ts'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { IMAGE_PIXELS_MAX, refuseSize, TOO_MANY_PIXELS } from '../../images/formats.ts'
import type { ImageFacts } from '../../planning/facts.ts'
import type { ImageFormat } from '../../planning/steps.ts'

const QUALITY = 90
const side = z.int().min(16).max(20_000)
/** Maps `resize_mode` to the `fit` option of sharp. */
const FITS = { fill: 'cover', fit: 'contain', exact: 'fill' } as const

/**
 * Resizes an image to the exact size that a social network expects, in a format that all networks accept, and
 * removes its metadata (Contract: Image operations).
 */
export const social = defineImageEdit({
  key: 'social',
  stem: 'social',
  title: 'Size for social media',
  description: 'Resizes the image for a social network: cropped to fill, or in full on a background.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: z
    .object({
      width: side.default(1080).describe('Width in pixels'),
      height: side.default(1080).describe('Height in pixels'),
      resize_mode: z
        .enum(['fill', 'fit', 'exact'])
        .default('fill')
        .describe(
          'fill crops to width and height, fit shows the whole image on a background, exact stretches it',
        ),
      bg_color: Color.default('#ffffff').describe(
        'Background color with resize_mode fit. It also replaces transparency',
      ),
    })
    .refine(({ width, height }) => width * height <= IMAGE_PIXELS_MAX, {
      path: ['width'],
      error: TOO_MANY_PIXELS,
    }),
  presets: [
    { label: 'Square post 1080', params: { width: 1080, height: 1080 } },
    { label: 'Portrait post 1080 x 1350', params: { width: 1080, height: 1350 } },
    { label: 'Story 1080 x 1920', params: { width: 1080, height: 1920 } },
    { label: 'Link preview 1200 x 630', params: { width: 1200, height: 630 } },
    { label: 'Video cover 1280 x 720', params: { width: 1280, height: 720 } },
    { label: 'Header 1500 x 500', params: { width: 1500, height: 500 } },
  ],
  edit({ params: { width, height, resize_mode, bg_color }, facts: { image } }) {
    const shown = { ...image, width, height, has_alpha: image.has_alpha && resize_mode !== 'fit' }
    const format = acceptedFormat(shown)
    const refusal = refuseSize('width', format, { width, height })
    if (refusal !== null) return refusal
    const background = resize_mode === 'fit' ? { background: bg_color } : {}
    return imageEdit(image, {
      actions: [{ action: 'resize', width, height, fit: FITS[resize_mode], ...background }],
      output: {
        format,
        quality: format === 'jpeg' ? QUALITY : null,
        never_larger: false,
        bits_per_channel: 8,
      },
      metadata: { strip: 'all', tags: {} },
      after: shown,
    })
  },
})

/** Returns a format that all networks accept: JPEG, PNG or GIF. Only some accept WebP and AVIF. */
function acceptedFormat({ format, has_alpha, pages }: ImageFacts): ImageFormat {
  if (format === 'gif' || pages > 1) return 'gif'
  return format === 'png' || has_alpha ? 'png' : 'jpeg'
}
