import { z } from 'zod'
import { Color } from '../../ffmpeg/color.ts'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import type { ImageAction } from '../../planning/steps.ts'
import { packTexts } from '../../text/texts.ts'

/** Flips an image, then rotates it (Contract: Image operations). */
export const transform = defineImageEdit({
  key: 'transform',
  stem: 'transformed',
  title: 'Rotate and flip',
  description: 'Flips the image, then rotates it by any angle.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: z
    .object({
      rotate: z.int().min(0).max(359).optional().describe('Rotation in degrees, counterclockwise'),
      flip: z
        .enum(['h', 'v'])
        .optional()
        .describe('Flip: h is horizontal (mirrored), v is vertical (upside down)'),
      bg_color: Color.optional().describe(
        'Color of the corners that a rotation exposes. Default: transparent, or white in a JPEG',
      ),
    })
    .refine((params) => (params.rotate ?? 0) !== 0 || params.flip !== undefined, {
      path: ['rotate'],
      error: packTexts({
        en: 'nothing to do. Set rotate, flip or both',
        uk: 'немає що виконувати. Укажіть rotate, flip або обидва',
        ru: 'нечего выполнять. Укажите rotate, flip или оба',
      }),
    }),
  presets: [
    { label: 'Rotate left', params: { rotate: 90 } },
    { label: 'Rotate right', params: { rotate: 270 } },
    { label: 'Upside down', params: { rotate: 180 } },
    { label: 'Mirror', params: { flip: 'h' } },
  ],
  edit({ params: { rotate: degrees = 0, flip: axis, bg_color }, facts: { image } }) {
    const actions: ImageAction[] = []
    if (axis !== undefined) actions.push({ action: 'flip', axis })
    if (degrees !== 0) actions.push({ action: 'rotate', degrees, background: bg_color ?? null })
    const opens = degrees % 90 !== 0 && bg_color === undefined
    return imageEdit(image, {
      actions,
      after: { ...image, ...rotatedSize(image, degrees), has_alpha: image.has_alpha || opens },
      output: {},
    })
  },
})

/** Returns the bounding box of the rotated image, rounded as libvips does. */
function rotatedSize({ width, height }: { width: number; height: number }, degrees: number) {
  if (degrees % 180 === 0) return { width, height }
  if (degrees % 90 === 0) return { width: height, height: width }
  const angle = (degrees * Math.PI) / 180
  const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
  return {
    width: Math.round(width * cosine + height * sine),
    height: Math.round(width * sine + height * cosine),
  }
}
