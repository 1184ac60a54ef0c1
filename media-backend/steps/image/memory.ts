import type { Metadata } from 'sharp'
import { holdsFrames } from '../../../shared/images/formats.ts'
import type { ImageAction, ImageStep } from '../../../shared/planning/steps.ts'
import { countFrames } from '../../runtime/sharp.ts'
import { largestPixels } from './passes.ts'

/** What a decoder and an encoder hold of each pixel of eight bits at most: of grain in a progressive JPEG. */
export const PIXEL_BYTES = 14
/** The same of an AVIF's encoder, with colors at full and at half the size. */
const AVIF_PIXEL_BYTES = { full: 33, halved: 20 }
/** What each pixel of a layer takes, with what the layer is made of: of a text that is slanted and tiled. */
const LAYER_PIXEL_BYTES = 10

/** What a step may take, as if no part of it went by line after line. */
export function estimateBytes({ actions, output }: ImageStep, header: Metadata): number {
  const { format, saves_memory = false } = output
  const avif_bytes = saves_memory ? AVIF_PIXEL_BYTES.halved : AVIF_PIXEL_BYTES.full
  const pixel_bytes = format === 'avif' ? avif_bytes : PIXEL_BYTES
  const depth = header.depth === 'uchar' ? 1 : 2
  const frames = holdsFrames(format) ? countFrames(header) : 1
  const layer_pixels = actions.reduce((sum, action) => sum + layerPixels(action), 0)
  return largestPixels(header, actions) * frames * pixel_bytes * depth + layer_pixels * LAYER_PIXEL_BYTES
}

/** Of a mark its width is known, and that it is no higher than the picture; tiled, it has room around it. */
function layerPixels(action: ImageAction): number {
  if (action.action === 'circle') return action.diameter ** 2
  if (action.action !== 'overlay') return 0
  const { canvas, width, tiled } = action
  return Math.min(canvas.width, tiled ? 2 * width : width) * canvas.height
}
