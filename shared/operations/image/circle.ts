import { z } from 'zod'
import { Color } from '../../ffmpeg/color.ts'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import type { ImageFacts } from '../../planning/facts.ts'

const DIAMETER_MAX = 4096

/** Crops an image to a circle, as for an avatar (Contract: Image operations). */
export const circle = defineImageEdit({
  key: 'circle',
  stem: 'circle',
  title: 'Circle',
  description: 'Crops the image to a circle, such as an avatar, with transparent or colored corners.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: z.object({
    diameter: z
      .int()
      .min(16)
      .max(DIAMETER_MAX)
      .optional()
      .describe(
        `Diameter of the circle in pixels. Default: the largest circle that fits the image, up to ${DIAMETER_MAX}`,
      ),
    zoom: z
      .number()
      .min(1)
      .max(10)
      .default(1)
      .describe('Zoom factor: 1 selects the largest circle that fits, 2 a circle with half that diameter'),
    offset_x: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe('Horizontal position of the circle: -1 is the left edge, 0 the center, 1 the right edge'),
    offset_y: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe('Vertical position of the circle: -1 is the top edge, 0 the center, 1 the bottom edge'),
    bg_color: Color.optional().describe(
      'Color of the corners. Default: transparent. GIF and WebP animations keep their format; other results become PNG',
    ),
  }),
  presets: [
    { label: 'Avatar 512', params: { diameter: 512 } },
    { label: 'Avatar 256 on white', params: { diameter: 256, bg_color: '#ffffff' } },
    { label: 'Face: closer and slightly higher', params: { diameter: 512, zoom: 1.5, offset_y: -0.4 } },
  ],
  edit({ params, facts: { image } }) {
    const side = Math.max(1, Math.round(Math.min(image.width, image.height) / params.zoom))
    const diameter = params.diameter ?? Math.min(side, DIAMETER_MAX)
    const background = params.bg_color ?? null
    const left = Math.round(((image.width - side) * (1 + params.offset_x)) / 2)
    const top = Math.round(((image.height - side) * (1 + params.offset_y)) / 2)
    return imageEdit(image, {
      actions: [
        { action: 'crop', left, top, width: side, height: side },
        { action: 'resize', width: diameter, height: diameter, fit: 'fill' },
        { action: 'circle', diameter, background },
      ],
      output: background === null && !supportsAnimation(image) ? { format: 'png' } : {},
      after: {
        ...image,
        width: diameter,
        height: diameter,
        has_alpha: background === null || image.has_alpha,
      },
    })
  },
})

/**
 * Checks whether the input is an animation in a format that also supports transparency, so the animation can be
 * kept.
 */
function supportsAnimation({ pages, format }: ImageFacts): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp')
}
