import type { ImageFacts } from '../../shared/operations/facts.ts'
import type { Environment } from '../environment.ts'
import { countFrames, formatOf, imageFailure, openImage } from '../steps/sharp.ts'
import { readColorCodePoints } from './color-code-points.ts'
import { checkFrames } from './limits.ts'

/** Formats that may name their colors by code points. */
const CODED: ReadonlySet<string> = new Set(['heif', 'png'])

/**
 * Reads a picture's header. Width and height are those that a person sees, of one frame.
 * @throws JobFailure when it is no picture that we take, or an animation of too many frames.
 */
export async function imageFacts(path: string, environment: Environment): Promise<ImageFacts> {
  try {
    const header = await openImage(path, environment).metadata()
    const { width, height, pageHeight, autoOrient } = header
    const pages = countFrames(header)
    checkFrames({ pages })
    // In an animation sharp can't turn frames, and no browser does.
    const shown = pages > 1 ? { width, height: pageHeight ?? height } : autoOrient
    const is_coded = !header.hasProfile && CODED.has(header.format)
    const color = is_coded ? await readColorCodePoints(path) : undefined
    return {
      format: formatOf(header),
      width: shown.width,
      height: shown.height,
      pages,
      has_alpha: header.hasAlpha,
      bits_per_channel: header.depth === 'ushort' ? 16 : 8,
      ...(color === undefined ? {} : { color }),
    }
  } catch (error) {
    throw imageFailure(error, environment)
  }
}
