import { failWith } from '../../../runtime/failure.ts'
import type { Run } from '../../../runtime/run.ts'
import { decodePixels, type PixelSize, readHeader } from './run-reader.ts'

interface Header extends PixelSize {
  /** Position among the images of the file. */
  index: number
  colors: string
  bits: number
}

/** Sixteen bits in four or five channels, twice: colors are converted from one copy to another. */
const PIXEL_BYTES = 24
/** The cache of pixels stays in memory, so the limits of the process apply. */
const LIMITS = ['disk', 'map'].flatMap((name) => ['-limit', name, '0'])
const UNCONVERTED: ReadonlySet<string> = new Set(['sRGB', 'Gray', 'CMYK'])

/**
 * Decodes an image with ImageMagick to an upright TIFF with its color profile. The named coder is the only one that
 * sees the file; the sandbox hides ImageMagick's list of other programs.
 * @throws JobFailure if the file cannot be decoded.
 */
export async function readMagick(
  coder: string,
  { input, output }: { input: string; output: string },
  run: Run,
): Promise<void> {
  const { index, width, height, colors, bits } = await findLargest(coder, input, run)
  const args = [
    ...LIMITS,
    ...[`${coder}:${input}[${index}]`, '-auto-orient', '+profile', '!icc,*'],
    ...(UNCONVERTED.has(colors) ? [] : ['-colorspace', 'sRGB']),
    ...['-depth', bits > 8 ? '16' : '8', '-compress', 'None', `tiff:${output}`],
  ]
  const { code } = await decodePixels('convert', args, { width, height, pixel_bytes: PIXEL_BYTES }, run)
  if (code !== 0) throw failWith('image_unreadable')
}

/** Finds the largest image of an icon. The first image of other files is the whole picture. */
async function findLargest(coder: string, input: string, run: Run): Promise<Header> {
  const first = coder === 'ico' ? '' : '[0]'
  const args = [...LIMITS, '-ping', '-format', '%w %h %[colorspace] %z\\n', `${coder}:${input}${first}`]
  const text = await readHeader('identify', args, run)
  const headers = text.split('\n').flatMap((line, index): Header[] => {
    const [width, height, colors = '', bits] = line.trim().split(' ')
    return colors === ''
      ? []
      : [{ index, width: Number(width), height: Number(height), colors, bits: Number(bits) }]
  })
  const [largest] = headers.toSorted((a, b) => b.width * b.height - a.width * a.height || b.bits - a.bits)
  if (largest === undefined) throw failWith('image_unreadable')
  return largest
}
