import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { coverByFocus, isFocus } from '../../images/focus.ts'
import {
  IMAGE_PIXELS_MAX,
  keptFormat,
  refusePixels,
  refuseSize,
  TOO_MANY_PIXELS,
} from '../../images/formats.ts'
import type { ImageFacts } from '../../planning/facts.ts'
import { refuse } from '../../planning/operation.ts'
import { packTexts } from '../../text/texts.ts'

const SIDE_MAX = 20_000

const Parameters = z
  .object({
    width: z.int().min(16).max(SIDE_MAX).optional().describe('Width in pixels'),
    height: z.int().min(16).max(SIDE_MAX).optional().describe('Height in pixels'),
    resize_mode: z
      .enum(['fit', 'fill', 'exact', 'scale'])
      .default('fit')
      .describe(
        'How the image is resized. fit scales within width and height and keeps the aspect ratio; fill crops to exactly width and height; exact stretches to them; scale uses percent',
      ),
    gravity: z
      .enum(['center', 'auto', 'entropy'])
      .default('center')
      .describe(
        'Part of the image that resize_mode fill keeps. auto keeps the part that people look at, such as a face, and entropy the part with the most details; both work for still images',
      ),
    percent: z
      .number()
      .min(1)
      .max(1000)
      .optional()
      .describe('Scale in percent of the original size. Required with resize_mode scale'),
  })
  // Refuses params without a size before anything is charged.
  .refine((params) => params.resize_mode !== 'scale' || params.percent !== undefined, {
    path: ['percent'],
    error: packTexts({
      en: 'is required with resize_mode scale',
      uk: 'значення обов’язкове з resize_mode scale',
      ru: 'значение обязательно с resize_mode scale',
    }),
  })
  .refine((params) => params.resize_mode === 'scale' || isSized(params), {
    path: ['width'],
    error: packTexts({
      en: 'is required. Set width, height or both, or set percent with resize_mode scale',
      uk: 'значення обов’язкове. Укажіть width, height або обидва чи percent з resize_mode scale',
      ru: 'значение обязательно. Укажите width, height или оба либо percent с resize_mode scale',
    }),
  })
  // If the result also depends on the image's aspect ratio, the plan checks its size.
  .refine((params) => requestedPixels(params) <= IMAGE_PIXELS_MAX, {
    path: ['width'],
    error: TOO_MANY_PIXELS,
  })

type Params = z.output<typeof Parameters>

interface Size {
  width: number
  height: number
}

/**
 * Resizes an image and keeps its format (Contract: Image operations). All modes can enlarge. If only one side is
 * set, the other side follows from the aspect ratio.
 */
export const resize = defineImageEdit({
  key: 'resize',
  stem: 'resized',
  title: 'Resize image',
  description: 'Resizes the image: scaled to fit, cropped to fill, stretched, or by percent.',
  credits: 1,
  family: 'resize',
  facts: ['image'],
  parameters: Parameters,
  presets: [
    { label: 'Full HD', params: { width: 1920, height: 1080 } },
    { label: 'Square 1080', params: { width: 1080, height: 1080, resize_mode: 'fill' } },
    { label: 'Half', params: { resize_mode: 'scale', percent: 50 } },
  ],
  edit({ params, facts: { image } }) {
    const size = resultSize(params, image)
    const field = params.resize_mode === 'scale' ? 'percent' : params.width === undefined ? 'height' : 'width'
    if (Math.max(size.width, size.height) > SIDE_MAX) {
      return refuse(field, {
        en: `the result would be ${size.width} x ${size.height} pixels, but the limit is ${SIDE_MAX} pixels per side. Use a smaller size`,
        uk: `розмір результату був би ${size.width} x ${size.height} пікселів, а обмеження — ${SIDE_MAX} пікселів на сторону. Укажіть менший розмір`,
        ru: `размер результата был бы ${size.width} x ${size.height} пикселей, а ограничение — ${SIDE_MAX} пикселей на сторону. Укажите меньший размер`,
      })
    }
    const { format } = keptFormat('resized', image)
    const refusal = refuseSize(field, format, size) ?? refusePixels(field, size)
    if (refusal !== null) return refusal
    // The plan sets the exact size in pixels; only `fill` leaves the position of the crop to the executor.
    const { resize_mode, gravity } = params
    const fit = resize_mode === 'fill' ? 'cover' : 'fill'
    const action =
      fit === 'cover' && isFocus(gravity)
        ? coverByFocus(gravity, size, image)
        : ({ action: 'resize', ...size, fit } as const)
    if ('refused' in action) return action
    return imageEdit(image, { actions: [action], after: { ...image, ...size } })
  },
})

function isSized(params: { width?: number; height?: number }): boolean {
  return params.width !== undefined || params.height !== undefined
}

/** Counts the pixels of the result if the parameters alone determine it; otherwise returns 0. */
function requestedPixels({
  resize_mode,
  width = 0,
  height = 0,
}: { resize_mode: string } & Partial<Size>): number {
  return resize_mode === 'fill' || resize_mode === 'exact' ? width * height : 0
}

/** Returns the size of the result in whole pixels, each side at least 1. */
function resultSize(params: Params, image: Pick<ImageFacts, 'width' | 'height'>): Size {
  const { width, height } = params
  if (params.resize_mode === 'scale') return scaled(image, (params.percent ?? 100) / 100)
  if (width !== undefined && height !== undefined && params.resize_mode !== 'fit') return { width, height }
  const scale_x = (width ?? Number.POSITIVE_INFINITY) / image.width
  const scale_y = (height ?? Number.POSITIVE_INFINITY) / image.height
  const fitted = scaled(image, Math.min(scale_x, scale_y))
  // Keeps the requested side exact, regardless of rounding.
  return scale_x <= scale_y
    ? { width: width ?? fitted.width, height: fitted.height }
    : { width: fitted.width, height: height ?? fitted.height }
}

function scaled(image: Pick<ImageFacts, 'width' | 'height'>, scale: number): Size {
  return {
    width: Math.max(1, Math.round(image.width * scale)),
    height: Math.max(1, Math.round(image.height * scale)),
  }
}
