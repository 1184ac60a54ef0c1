import { basename } from 'node:path'
import type { ImageFacts } from '../../../../shared/planning/facts.ts'
import { decode } from '../../../runtime/decoder/decode.ts'
import { failWith } from '../../../runtime/failure.ts'
import { fileIn } from '../../../runtime/folder.ts'
import { readHead } from '../../../runtime/image-head.ts'
import type { Run } from '../../../runtime/run.ts'
import { readPngFrames } from '../png-frames.ts'
import { describeTiff, type TiffImage } from './describe-tiff.ts'
import { findReader, type Reader } from './find-reader.ts'
import { readJxl } from './read-jxl.ts'
import { readMagick } from './read-magick.ts'
import { readRaw } from './read-raw.ts'
import { readSvg } from './read-svg.ts'
import { decodePixels } from './run-reader.ts'

/** An XML declaration and comments may precede the first element of an SVG. */
const HEAD_BYTES = 64 * 1024
const RGBA_PIXEL_BYTES = 12

/**
 * Decodes an image that sharp does not read to a file that it does, and measures that. Formats that sharp reads are
 * left alone.
 * @returns null if sharp reads the file.
 * @throws JobFailure if the file cannot be decoded.
 */
export async function readForeign(path: string, run: Run): Promise<ImageFacts | null> {
  const tiff = await describeTiff(path, run.signal)
  const reader = findReader(await readHead(path, HEAD_BYTES), tiff)
  if (reader === null) {
    if (hidesErrors(tiff)) await requireContent(basename(path), run)
    return null
  }
  const input = basename(path)
  const decoded = await decodeWith(reader, input, tiff, run)
  const facts: ImageFacts = await decode('facts', { file: decoded.file }, run)
  if (SILENT.has(reader.kind)) await requireContent(decoded.file, run)
  const unread_pages = await countUnread(reader, decoded.file, tiff, run)
  const { format } = reader
  const { unread_pages: _, ...image } = facts
  return { ...image, format, decoded, ...(unread_pages > 0 && { unread_pages }) }
}

/** Counts the pages of a TIFF and the frames of a JPEG XL after the first, which are not read. */
async function countUnread(
  { format }: Reader,
  decoded: string,
  tiff: readonly TiffImage[],
  { folder }: Run,
): Promise<number> {
  if (format === 'tiff') return tiff.filter(({ is_page }) => is_page).length - 1
  if (format !== 'jxl') return 0
  return ((await readPngFrames(fileIn(folder, decoded)))?.frames || 1) - 1
}

/** Bytes of a pixel in a file that is not blank. */
const CONTENT_BYTES = 1 / 50

/** Checks for a TIFF of compressed tiles: libvips leaves tiles that it cannot decode blank. */
function hidesErrors([first]: readonly TiffImage[]): boolean {
  if (first === undefined || !first.is_tiled || first.compression === 1) return false
  return first.data_bytes > first.width * first.height * CONTENT_BYTES
}

/** Programs that report no error for pixels that they cannot decode. */
const SILENT: ReadonlySet<Reader['kind']> = new Set(['raw', 'rgba'])

/**
 * Refuses an image whose pixels are all equal although its file has more than that.
 * @throws JobFailure input_unreadable
 */
export async function requireContent(file: string, run: Run): Promise<void> {
  if (await decode('is_blank', { file }, run)) throw failWith('image_unreadable')
}

async function decodeWith(
  reader: Reader,
  input: string,
  tiff: readonly TiffImage[],
  run: Run,
): Promise<NonNullable<ImageFacts['decoded']>> {
  const files = { input, output: `${input}-decoded.tif` }
  const [first] = tiff
  if (reader.format === 'tiff') requireReadable(first)
  switch (reader.kind) {
    case 'raw': {
      const { file, is_preview } = await readRaw(files, tiff, run)
      return is_preview ? { file: await makeUpright(file, input, run), is_preview: true } : { file }
    }
    case 'magick':
      await readMagick(reader.coder, files, run)
      return { file: files.output }
    case 'rgba': {
      // It converts all pages.
      const width = tiff.reduce((sum, page) => sum + page.width * page.height, 0)
      const size = { width, height: 1, pixel_bytes: RGBA_PIXEL_BYTES }
      const { code } = await decodePixels('tiff2rgba', ['-n', '-c', 'none', input, files.output], size, run)
      if (code !== 0) throw failWith('image_unreadable')
      return { file: files.output }
    }
    case 'jxl': {
      const file = `${input}-decoded.png`
      await readJxl({ input, output: file }, run)
      return { file }
    }
    case 'svg': {
      const file = `${input}-decoded.png`
      await readSvg({ input, output: file }, run)
      return { file }
    }
  }
}

function requireReadable(image: TiffImage | undefined): void {
  if (image?.is_inside === false) throw failWith('image_unreadable')
  const bits = image?.bits.find((each) => each > 16 && each !== 32)
  if (bits !== undefined) throw failWith('tiff_depth_unsupported', { bits })
}

async function makeUpright(file: string, input: string, run: Run): Promise<string> {
  const output = `${input}-decoded.png`
  await decode('make_png', { input: file, output }, run)
  return output
}
