import { z } from 'zod'
import { Colour } from '../../ffmpeg/color.ts'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { PICTURE_PIXELS_MAX, refuseSize, TOO_MANY_PIXELS } from '../../images/formats.ts'
import type { ImageFacts } from '../../planning/facts.ts'
import type { ImageFormat } from '../../planning/steps.ts'

const QUALITY = 90
const side = z.int().min(16).max(20_000)
/** sharp's names of how a picture meets a size. */
const FITS = { fill: 'cover', fit: 'contain', exact: 'fill' } as const

/**
 * Images, to the exact size that a network asks for, in a format that all of them take, and without
 * metadata (Contract: Image operations).
 */
export const social = defineImageEdit({
  key: 'social',
  stem: 'social',
  title: 'Size for social media',
  description: 'Exactly the size that a network wants: cropped to fill, or whole on a background.',
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
        .describe('fill crops what stands over, fit shows all of it on a background, exact distorts'),
      bg_color: Colour.default('#ffffff').describe(
        'Colour of the background, with resize_mode fit, also behind what is transparent',
      ),
    })
    .refine(({ width, height }) => width * height <= PICTURE_PIXELS_MAX, {
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
    const format = takenFormat(shown)
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

/** The networks take JPEG, PNG and GIF; WebP and AVIF only some. */
function takenFormat({ format, has_alpha, pages }: ImageFacts): ImageFormat {
  if (format === 'gif' || pages > 1) return 'gif'
  return format === 'png' || has_alpha ? 'png' : 'jpeg'
}
