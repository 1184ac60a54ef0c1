import type { TiffImage } from './describe-tiff.ts'

/**
 * How an image is read that sharp does not read, or not correctly. `magick` names the coder of ImageMagick, `rgba`
 * is libtiff's own conversion to 8-bit RGB.
 */
export type Reader =
  | { kind: 'raw'; format: 'raw' }
  | { kind: 'jxl'; format: 'jxl' }
  | { kind: 'svg'; format: 'svg' }
  | { kind: 'magick'; format: 'bmp' | 'ico' | 'psd' | 'jp2' | 'tiff'; coder: string }
  | { kind: 'rgba'; format: 'tiff' }

/** Starts of files, in hexadecimal. */
const STARTS: readonly [RegExp, Reader][] = [
  // Canon (CR2, CR3, CRW), Panasonic, Olympus, Fujifilm, Minolta, Sigma.
  [/^(49492a00.{8}4352|.{8}6674797063727820|4949.{8}48454150)/, { kind: 'raw', format: 'raw' }],
  [
    /^(49495500|4949524f|49495253|4d4d4f52|46554a4946494c4d|004d524d|464f5662)/,
    { kind: 'raw', format: 'raw' },
  ],
  [/^(ff0a|0000000c4a584c20)/, { kind: 'jxl', format: 'jxl' }],
  [/^424d.{8}0{8}/, { kind: 'magick', format: 'bmp', coder: 'bmp' }],
  [/^00000100..00/, { kind: 'magick', format: 'ico', coder: 'ico' }],
  [/^384250530001/, { kind: 'magick', format: 'psd', coder: 'psd' }],
  [/^384250530002/, { kind: 'magick', format: 'psd', coder: 'psb' }],
  [/^0000000c6a502020/, { kind: 'magick', format: 'jp2', coder: 'jp2' }],
  [/^ff4fff51/, { kind: 'magick', format: 'jp2', coder: 'j2k' }],
]
const SVG = /^\s*(<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE\s+svg[^>[]*(\[[^\]]*\])?[^>]*>|\s)*<svg[\s>]/is

/** Photometric interpretations of sensors: a color filter array, and linear raw. */
const SENSORS: ReadonlySet<number | null> = new Set([32_803, 34_892])
const LAB: ReadonlySet<number | null> = new Set([8, 9, 10])
const OLD_JPEG = 6
const LZMA = 34_925
const WHOLE_BITS: ReadonlySet<number> = new Set([8, 16])
const GRAY_BITS: ReadonlySet<number> = new Set([1, 2, 4, 8, 16])
const [UNSIGNED, FLOAT] = [1, 3]

/** Chooses how to read an image. Returns null if sharp reads it. */
export function findReader(head: Buffer, tiff: readonly TiffImage[]): Reader | null {
  const start = head.toString('hex', 0, 16)
  const [, reader] = STARTS.find(([pattern]) => pattern.test(start)) ?? []
  if (reader !== undefined) return reader
  if (SVG.test(head.toString('utf8').replace(/^\uFEFF/, ''))) return { kind: 'svg', format: 'svg' }
  const [first] = tiff
  if (first === undefined) return null
  if (isRaw(tiff)) return { kind: 'raw', format: 'raw' }
  if (first.compression === OLD_JPEG) return { kind: 'rgba', format: 'tiff' }
  return isUnusual(first) ? { kind: 'magick', format: 'tiff', coder: 'tiff' } : null
}

/**
 * Checks for a camera raw file, whose first image is only a preview: a DNG, an image of a sensor, or a camera's
 * preview without the image that it belongs to.
 */
export function isRaw(images: readonly TiffImage[]): boolean {
  const [first] = images
  if (first === undefined) return false
  if (images.some((image) => image.is_dng || SENSORS.has(image.photometric))) return true
  return first.subfile === 1 && first.make !== '' && images.every(({ subfile }) => subfile === 1)
}

/** Checks for what libvips does not read: other color spaces, bit depths and layouts, and a compression. */
function isUnusual({ bits, sample_format, photometric, planar, is_tiled, compression }: TiffImage): boolean {
  if (LAB.has(photometric) || (planar === 2 && is_tiled)) return true
  if (compression === LZMA) return true
  if (sample_format === FLOAT) return bits.includes(64)
  const usual = bits.length === 1 ? GRAY_BITS : WHOLE_BITS
  return sample_format === UNSIGNED && !bits.every((each) => usual.has(each))
}
