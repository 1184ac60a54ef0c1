import type { Metadata, Sharp } from 'sharp'
import type { ImageAction } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { fromRaw, limitsOf, openImage, type Space, toRaw } from '../../runtime/sharp.ts'

/**
 * Maximum pixels of a result that stays in memory. Larger results go to a file, which the next pipeline reads line
 * by line.
 */
const HELD_PIXELS_MAX = 50_000_000

/** Medium that passes the pixels of a stage to the next one. */
export type Passage = 'memory' | 'file'

type Size = Pick<Metadata, 'width' | 'height'>

export function choosePassage(size: Size, actions: readonly ImageAction[]): Passage {
  return largestPixels(size, actions) > HELD_PIXELS_MAX ? 'file' : 'memory'
}

/** Estimates the number of pixels in the largest image of a pipeline. */
export function largestPixels({ width, height }: Size, actions: readonly ImageAction[]): number {
  const resized = actions.map((action) =>
    action.action === 'resize' ? (action.width ?? width) * (action.height ?? height) : 0,
  )
  return Math.max(width * height, ...resized)
}

/** Runs a pipeline. Returns a function with which the next pipeline opens the result. */
export async function passOn(
  image: Sharp,
  { passage, space, file }: { passage: Passage; space: Space; file: string },
  run: Pick<Run, 'folder' | 'environment' | 'image_deadline_ms'>,
): Promise<() => Sharp> {
  if (passage === 'memory') {
    const raw = await toRaw(image, space)
    return () => fromRaw(raw, limitsOf(run))
  }
  const path = fileIn(run.folder, file)
  await image.toColorspace(space).tiff({ compression: 'none' }).toFile(path)
  return () => openImage(path, limitsOf(run), { limitInputPixels: false })
}
