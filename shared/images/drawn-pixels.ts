import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { ImageFacts } from '../planning/facts.ts'
import { type PlanRefusal, refuse } from '../planning/operation.ts'
import type { ImageFormat } from '../planning/steps.ts'
import { holdsFrames, PICTURE_PIXELS_MAX, refusePixels } from './formats.ts'

/**
 * Pixels of the input and of every image that the edits draw from it, together. Each image alone may have
 * PICTURE_PIXELS_MAX; without a bound on the sum a chain of resizes would hold a worker for minutes.
 */
export const DRAWN_PIXELS_MAX = 4 * PICTURE_PIXELS_MAX

type Drawn = Pick<ImageEdit, 'actions' | 'after'>

/** Refuses a pipeline before it draws anything: where one image has too many pixels, or all of them together. */
export function refuseDrawing(
  edits: readonly Drawn[],
  image: ImageFacts,
  format: ImageFormat,
): PlanRefusal | null {
  const frames = holdsFrames(format) ? image.pages : 1
  // Also where a later edit makes the image small again.
  for (const { after } of edits) {
    const refusal = refusePixels(null, after, frames)
    if (refusal !== null) return refusal
  }
  const pixels = frames * countDrawnPixels(edits, image)
  if (pixels <= DRAWN_PIXELS_MAX) return null
  const [drawn, limit] = [pixels, DRAWN_PIXELS_MAX].map((count) => Math.floor(count / 1_000_000))
  return refuse(
    'operations',
    `the input and the images of all operations have ${drawn} megapixels together; the limit is ${limit}. Use fewer operations or smaller sizes`,
  )
}

/** Counts the pixels of one frame that a pipeline reads and draws over all its edits. */
function countDrawnPixels(edits: readonly Drawn[], image: ImageFacts): number {
  const drawn = edits.filter(({ actions }) => actions.length > 0).map(({ after }) => after)
  return [image, ...drawn].reduce((sum, { width, height }) => sum + width * height, 0)
}
