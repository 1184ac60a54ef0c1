import type { ImageFacts } from '../../../shared/planning/facts.ts'
import type { Environment } from '../../environment.ts'
import { failWith, JobFailure } from '../../runtime/failure.ts'
import { checkFrames } from '../../runtime/limits.ts'
import { countFrames, formatOf, imageFailure, openImage, shownSize } from '../../runtime/sharp.ts'
import { readColorCodePoints } from './color-code-points.ts'
import { describeTiff } from './foreign/describe-tiff.ts'
import { isTruncatedGif } from './gif-blocks.ts'
import { explainBrands, readBrands } from './heif-brands.ts'
import { explainFormat } from './unsupported-formats.ts'

/** Formats that can specify their colors as code points. */
const CODED: ReadonlySet<string> = new Set(['heif', 'png'])

/**
 * Reads an image's header. The width and height are those of one frame as displayed.
 * @throws JobFailure if the file is not a supported image, or is an animation with too many frames.
 */
export async function imageFacts(path: string, environment: Environment): Promise<ImageFacts> {
  try {
    const header = await openImage(path, environment).metadata()
    const pages = countFrames(header)
    checkFrames({ pages })
    await checkGif(header.format, path)
    const unread_pages = header.format === 'tiff' ? (header.pages ?? 1) - 1 : 0
    const shown = shownSize(header)
    const is_coded = !header.hasProfile && CODED.has(header.format)
    const color = is_coded ? await readColorCodePoints(path) : undefined
    return {
      format: formatOf(header),
      width: shown.width,
      height: shown.height,
      pages,
      ...(unread_pages > 0 && { unread_pages }),
      has_alpha: header.hasAlpha,
      ...(header.format === 'tiff' && (await hasFewColors(path)) && { few_colors: true }),
      bits_per_channel: header.depth === 'ushort' ? 16 : 8,
      ...(color === undefined ? {} : { color }),
    }
  } catch (error) {
    throw await explainFailure(imageFailure(error, environment), path)
  }
}

/** Names the kind of unsupported file instead of calling the file corrupt. */
async function explainFailure(failure: unknown, path: string): Promise<unknown> {
  if (!(failure instanceof JobFailure) || failure.error_code !== 'input_unreadable') return failure
  const unsupported = explainBrands(await readBrands(path))
  if (unsupported !== null) return unsupported
  return failure.reason.name === 'image_unsupported' ? explainFormat(path) : failure
}

const PALETTE = 3
const FEW_BITS_MAX = 4

async function hasFewColors(path: string): Promise<boolean> {
  const [first] = await describeTiff(path, new AbortController().signal)
  if (first === undefined) return false
  const [bits = 1] = first.bits
  return first.photometric === PALETTE || (first.bits.length <= 1 && bits <= FEW_BITS_MAX)
}

/** Refuses a truncated GIF. For all other formats, the decoder detects truncation. */
async function checkGif(format: string, path: string): Promise<void> {
  if (format !== 'gif' || !(await isTruncatedGif(path))) return
  throw failWith('gif_truncated')
}
