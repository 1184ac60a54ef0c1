import { supportsAnimation } from '../../../shared/images/formats.ts'
import type { ImageAction, ImageStep } from '../../../shared/planning/steps.ts'
import type { Header } from '../../runtime/decoder/tasks.ts'
import { countFrames } from '../../runtime/sharp.ts'
import { RAW_BYTES_MAX } from './encode.ts'
import { largestPixels } from './passes.ts'

/** Maximum memory per 8-bit pixel for decoding and encoding. The worst case is grain in a progressive JPEG. */
export const PIXEL_BYTES = 14
/** Same for the AVIF encoder, with full and with subsampled chroma. */
const AVIF_PIXEL_BYTES = { full: 33, halved: 20 }
/** Memory per pixel of a layer and its sources. The worst case is slanted, tiled text. */
const LAYER_PIXEL_BYTES = 10
const DECODED_PIXEL_BYTES = 4

/** Estimates the memory a step needs, assuming that nothing is streamed line by line. */
export function estimateBytes(
  { actions, output }: ImageStep,
  header: Pick<Header, 'format' | 'depth' | 'pages' | 'width' | 'height'>,
): number {
  const { format, saves_memory = false } = output
  const avif_bytes = saves_memory ? AVIF_PIXEL_BYTES.halved : AVIF_PIXEL_BYTES.full
  const pixel_bytes = format === 'avif' ? avif_bytes : PIXEL_BYTES
  const depth = header.depth === 'uchar' ? 1 : 2
  const frames = supportsAnimation(format) ? countFrames(header) : 1
  const layer_pixels = actions.reduce((sum, action) => sum + layerPixels(action), 0)
  const pixels = largestPixels(header, actions)
  // The decoded pixels stay in memory while the image is encoded with the quality that they led to (chooseQuality).
  const is_searched = output.similarity_min !== undefined && output.quality === null
  const decoded_bytes = is_searched ? Math.min(RAW_BYTES_MAX, pixels * DECODED_PIXEL_BYTES) : 0
  return pixels * frames * pixel_bytes * depth + layer_pixels * LAYER_PIXEL_BYTES + decoded_bytes
}

/**
 * Estimates the number of pixels in a layer. The width of a mark is known, and its height is at most that of the
 * image. A tiled mark has space around it.
 */
function layerPixels(action: ImageAction): number {
  if (action.action === 'circle') return action.diameter ** 2
  if (action.action !== 'overlay') return 0
  const { canvas, width, tiled } = action
  return Math.min(canvas.width, tiled ? 2 * width : width) * canvas.height
}
