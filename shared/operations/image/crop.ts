import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { coverByFocus, isFocus } from '../../images/focus.ts'
import type { ImageFacts } from '../../planning/facts.ts'
import { type PlanRefusal, refuse } from '../../planning/operation.ts'
import type { ImageAction } from '../../planning/steps.ts'
import { packTexts } from '../../text/texts.ts'

const ASPECTS = ['1:1', '4:5', '5:4', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9'] as const

/** Maps `gravity` to the share of the removed area that lies before the kept area. */
const SHARES = {
  center: { x: 0.5, y: 0.5 },
  top: { x: 0.5, y: 0 },
  bottom: { x: 0.5, y: 1 },
  left: { x: 0, y: 0.5 },
  right: { x: 1, y: 0.5 },
} as const

interface Size {
  width: number
  height: number
}

const REQUIRED = packTexts({
  en: 'is required with crop_aspect free',
  uk: 'значення обов’язкове з crop_aspect free',
  ru: 'значение обязательно с crop_aspect free',
})

/** No image has a longer side: it would have more pixels than an image may have. */
const SIDE_MAX = 100_000

const side = (min: number) => z.int().min(min).max(SIDE_MAX)

const isSized =
  (key: 'width' | 'height') => (params: { crop_aspect: string; width?: number; height?: number }) =>
    params.crop_aspect !== 'free' || params[key] !== undefined

const Parameters = z
  .object({
    crop_aspect: z
      .enum([...ASPECTS, 'free'])
      .default('1:1')
      .describe(
        'Aspect ratio of the result, width to height; free crops to exactly left, top, width and height',
      ),
    gravity: z
      .enum(['center', 'top', 'bottom', 'left', 'right', 'auto', 'entropy'])
      .default('center')
      .describe(
        'Part of the image to keep. top and bottom apply when the height is cropped, left and right when the width is cropped. auto keeps the part that people look at, such as a face, and entropy the part with the most details; both work for still images',
      ),
    left: side(0).default(0).describe('Left edge of the area in pixels of the upright image'),
    top: side(0).default(0).describe('Top edge of the area in pixels of the upright image'),
    width: side(1).optional().describe('Width of the area in pixels. Required with crop_aspect free'),
    height: side(1).optional().describe('Height of the area in pixels. Required with crop_aspect free'),
  })
  .refine(isSized('width'), { path: ['width'], error: REQUIRED })
  .refine(isSized('height'), { path: ['height'], error: REQUIRED })

/** Crops an image to the largest area with a given aspect ratio, or to any area (Contract: Image operations). */
export const crop = defineImageEdit({
  key: 'crop',
  stem: 'cropped',
  title: 'Crop image',
  description:
    'Crops the image to an aspect ratio such as 1:1 or 16:9, around the center, one side or what people look at, or to any area.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: Parameters,
  presets: [
    { label: 'Square', params: { crop_aspect: '1:1' } },
    { label: 'Portrait 4:5', params: { crop_aspect: '4:5' } },
    { label: 'Story 9:16', params: { crop_aspect: '9:16' } },
    { label: 'Widescreen 16:9', params: { crop_aspect: '16:9' } },
  ],
  edit({ params, facts: { image } }) {
    const action = cropAction(params, image)
    if ('refused' in action) return action
    const { width, height } = action
    return imageEdit(image, { actions: [action], after: { ...image, width, height } })
  },
})

type SizedAction = ImageAction & Size

function cropAction(params: z.output<typeof Parameters>, image: ImageFacts): SizedAction | PlanRefusal {
  const { crop_aspect, gravity, left, top, width = 1, height = 1 } = params
  if (crop_aspect === 'free') {
    if (left + width > image.width) return refuseBeyond('width', left + width, image.width)
    if (top + height > image.height) return refuseBeyond('height', top + height, image.height)
    return { action: 'crop', left, top, width, height }
  }
  const size = cropSize(crop_aspect, image)
  if (isFocus(gravity)) return coverByFocus(gravity, size, image)
  const share = SHARES[gravity]
  return {
    action: 'crop',
    left: Math.round((image.width - size.width) * share.x),
    top: Math.round((image.height - size.height) * share.y),
    ...size,
  }
}

function refuseBeyond(field: 'width' | 'height', end: number, side_pixels: number): PlanRefusal {
  return refuse(field, {
    en: `the area ends at ${end} pixels, but the image has ${side_pixels}. Choose an area within the image`,
    uk: `область закінчується на позначці ${end} пікс., а зображення має ${side_pixels}. Виберіть область у межах зображення`,
    ru: `область заканчивается на отметке ${end} пикс., а изображение имеет ${side_pixels}. Выберите область в пределах изображения`,
  })
}

function cropSize(aspect: (typeof ASPECTS)[number], { width, height }: Size): Size {
  const [across = 1, down = 1] = aspect.split(':').map(Number)
  const ratio = across / down
  return width > height * ratio
    ? { width: Math.max(1, Math.round(height * ratio)), height }
    : { width, height: Math.max(1, Math.round(width / ratio)) }
}
