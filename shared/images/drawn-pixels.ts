import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { ImageFacts } from '../planning/facts.ts'
import { type PlanRefusal, refuse } from '../planning/operation.ts'
import type { ImageFormat } from '../planning/steps.ts'
import { IMAGE_PIXELS_MAX, refusePixels, supportsAnimation } from './formats.ts'

/**
 * Limit on the total pixels of the input and of every image that the edits draw. With only a limit per image, a
 * chain of resizes could occupy a worker for minutes.
 */
export const DRAWN_PIXELS_MAX = 4 * IMAGE_PIXELS_MAX

type Drawn = Pick<ImageEdit, 'actions' | 'after'>

/**
 * Refuses a pipeline if any image, or all of them combined, exceed the pixel limit. Runs before anything is drawn.
 */
export function refuseDrawing(
  edits: readonly Drawn[],
  image: ImageFacts,
  format: ImageFormat,
): PlanRefusal | null {
  const frames = supportsAnimation(format) ? image.pages : 1
  // Applies even if a later edit makes the image small again.
  for (const { after } of edits) {
    const refusal = refusePixels(null, after, frames)
    if (refusal !== null) return refusal
  }
  const pixels = frames * countDrawnPixels(edits, image)
  if (pixels <= DRAWN_PIXELS_MAX) return null
  const [drawn, limit] = [pixels, DRAWN_PIXELS_MAX].map((count) => Math.floor(count / 1_000_000))
  return refuse('operations', {
    en: `the input and all intermediate images have ${drawn} megapixels in total, but the limit is ${limit}. Use fewer operations or smaller sizes`,
    uk: `вхідне та всі проміжні зображення разом мають ${drawn} Мп, а обмеження — ${limit} Мп. Укажіть менше операцій або менші розміри`,
    ru: `входное и все промежуточные изображения вместе имеют ${drawn} Мп, а ограничение — ${limit} Мп. Укажите меньше операций или меньшие размеры`,
  })
}

/** Counts the total pixels that all edits read and draw for one frame. */
function countDrawnPixels(edits: readonly Drawn[], image: ImageFacts): number {
  const drawn = edits.filter(({ actions }) => actions.length > 0).map(({ after }) => after)
  return [image, ...drawn].reduce((sum, { width, height }) => sum + width * height, 0)
}
