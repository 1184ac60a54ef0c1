import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'

const ASPECTS = ['1:1', '4:5', '5:4', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9'] as const

/** Maps `gravity` to the share of the removed area that lies before the kept area. */
const SHARES = {
  center: { x: 0.5, y: 0.5 },
  top: { x: 0.5, y: 0 },
  bottom: { x: 0.5, y: 1 },
  left: { x: 0, y: 0.5 },
  right: { x: 1, y: 0.5 },
} as const

/** Crops an image to the largest area with a given aspect ratio (Contract: Image operations). */
export const crop = defineImageEdit({
  key: 'crop',
  stem: 'cropped',
  title: 'Crop image',
  description:
    'Crops the image to an aspect ratio such as 1:1 or 16:9, anchored to the center or to one side.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: z.object({
    crop_aspect: z.enum(ASPECTS).default('1:1').describe('Aspect ratio of the result, width to height'),
    gravity: z
      .enum(['center', 'top', 'bottom', 'left', 'right'])
      .default('center')
      .describe(
        'Side of the image to keep. top and bottom apply when the height is cropped, left and right when the width is cropped',
      ),
  }),
  presets: [
    { label: 'Square', params: { crop_aspect: '1:1' } },
    { label: 'Portrait 4:5', params: { crop_aspect: '4:5' } },
    { label: 'Story 9:16', params: { crop_aspect: '9:16' } },
    { label: 'Widescreen 16:9', params: { crop_aspect: '16:9' } },
  ],
  edit({ params, facts: { image } }) {
    const size = cropSize(params.crop_aspect, image)
    const share = SHARES[params.gravity]
    const left = Math.round((image.width - size.width) * share.x)
    const top = Math.round((image.height - size.height) * share.y)
    return imageEdit(image, {
      actions: [{ action: 'crop', left, top, ...size }],
      after: { ...image, ...size },
    })
  },
})

function cropSize(aspect: (typeof ASPECTS)[number], { width, height }: { width: number; height: number }) {
  const [across = 1, down = 1] = aspect.split(':').map(Number)
  const ratio = across / down
  return width > height * ratio
    ? { width: Math.max(1, Math.round(height * ratio)), height }
    : { width, height: Math.max(1, Math.round(width / ratio)) }
}
