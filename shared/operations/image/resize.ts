import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import {
  keptFormat,
  PICTURE_PIXELS_MAX,
  refusePixels,
  refuseSize,
  TOO_MANY_PIXELS,
} from '../../images/formats.ts'
import type { ImageFacts } from '../../planning/facts.ts'
import { refuse } from '../../planning/operation.ts'
import type { ImageAction } from '../../planning/steps.ts'

const SIDE_MAX = 20_000

const Parameters = z
  .object({
    width: z.int().min(16).max(SIDE_MAX).optional().describe('Width in pixels'),
    height: z.int().min(16).max(SIDE_MAX).optional().describe('Height in pixels'),
    resize_mode: z
      .enum(['fit', 'fill', 'exact', 'scale'])
      .default('fit')
      .describe(
        'fit keeps the aspect within width and height, fill crops to them, exact distorts to them, scale takes percent',
      ),
    percent: z
      .number()
      .min(1)
      .max(1000)
      .optional()
      .describe('Size in percent of the original, with resize_mode scale'),
  })
  // A request for nothing is turned down before it is charged, never answered with the input.
  .refine((params) => params.resize_mode !== 'scale' || params.percent !== undefined, {
    path: ['percent'],
    error: 'is missing; resize_mode scale needs it',
  })
  .refine((params) => params.resize_mode === 'scale' || isSized(params), {
    path: ['width'],
    error: 'is missing; give width, height or both, or percent with resize_mode scale',
  })
  // Where the shape of the picture has a say, the plan refuses what is too large.
  .refine((params) => asksPixels(params) <= PICTURE_PIXELS_MAX, {
    path: ['width'],
    error: TOO_MANY_PIXELS,
  })

type Params = z.output<typeof Parameters>

interface Size {
  width: number
  height: number
}

/**
 * Images, to another size in the format they have. Every mode also enlarges: who asks for a size
 * gets it. With one side given, the other follows the aspect in every mode.
 */
export const resize = defineImageEdit({
  key: 'resize',
  stem: 'resized',
  title: 'Resize image',
  description: 'Changes the size: fitted within, filling and cropped, exact, or by percent.',
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
      return refuse(
        field,
        `the result would be ${size.width} x ${size.height} pixels; the most is ${SIDE_MAX} on a side`,
      )
    }
    const { format } = keptFormat('resized', image)
    const refusal = refuseSize(field, format, size) ?? refusePixels(field, size)
    if (refusal !== null) return refusal
    // The size is decided here to the pixel; only a crop is left for the executor to place.
    const action: ImageAction = {
      action: 'resize',
      ...size,
      fit: params.resize_mode === 'fill' ? 'cover' : 'fill',
    }
    return imageEdit(image, { actions: [action], after: { ...image, ...size } })
  },
})

function isSized(params: { width?: number; height?: number }): boolean {
  return params.width !== undefined || params.height !== undefined
}

/** The pixels of the result as far as they follow from the parameters alone. */
function asksPixels({ resize_mode, width = 0, height = 0 }: { resize_mode: string } & Partial<Size>): number {
  return resize_mode === 'fill' || resize_mode === 'exact' ? width * height : 0
}

/** The size of the result in whole pixels, each side at least 1. */
function resultSize(params: Params, image: Pick<ImageFacts, 'width' | 'height'>): Size {
  const { width, height } = params
  if (params.resize_mode === 'scale') return scaled(image, (params.percent ?? 100) / 100)
  if (width !== undefined && height !== undefined && params.resize_mode !== 'fit') return { width, height }
  const scale_x = (width ?? Number.POSITIVE_INFINITY) / image.width
  const scale_y = (height ?? Number.POSITIVE_INFINITY) / image.height
  const fitted = scaled(image, Math.min(scale_x, scale_y))
  // The side that was asked for is exactly that, whatever rounding makes of it.
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
