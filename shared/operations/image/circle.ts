import { z } from 'zod'
import { Colour } from '../../ffmpeg/color.ts'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import type { ImageFacts } from '../../planning/facts.ts'

const DIAMETER_MAX = 4096

/** Images, as a round avatar (Contract: Image operations). */
export const circle = defineImageEdit({
  key: 'circle',
  stem: 'circle',
  title: 'Circle',
  description: 'Cuts a round picture, such as an avatar, with transparent or coloured corners.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: z.object({
    diameter: z
      .int()
      .min(16)
      .max(DIAMETER_MAX)
      .optional()
      .describe(`Diameter in pixels; omitted, as large as the picture holds, at most ${DIAMETER_MAX}`),
    zoom: z
      .number()
      .min(1)
      .max(10)
      .default(1)
      .describe('How far to go in: 1 takes the largest circle, 2 one half as wide'),
    offset_x: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe('Where the circle lies: -1 at the left edge, 0 in the middle, 1 at the right edge'),
    offset_y: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe('Where the circle lies: -1 at the top, 0 in the middle, 1 at the bottom'),
    bg_color: Colour.optional().describe('Colour of the corners; omitted, they are transparent (PNG)'),
  }),
  presets: [
    { label: 'Avatar 512', params: { diameter: 512 } },
    { label: 'Avatar 256 on white', params: { diameter: 256, bg_color: '#ffffff' } },
    { label: 'Face: closer, a bit higher', params: { diameter: 512, zoom: 1.5, offset_y: -0.4 } },
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
      output: background === null && !holdsFrames(image) ? { format: 'png' } : {},
      after: {
        ...image,
        width: diameter,
        height: diameter,
        has_alpha: background === null || image.has_alpha,
      },
    })
  },
})

/** An animation stays one: the formats that hold frames hold transparency, too. */
function holdsFrames({ pages, format }: ImageFacts): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp')
}
