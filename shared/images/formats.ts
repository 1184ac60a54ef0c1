import type { ImageFacts } from '../planning/facts.ts'
import type { Extension } from '../planning/formats.ts'
import { type PlanRefusal, refuse } from '../planning/operation.ts'
import type { ImageFormat } from '../planning/steps.ts'

const EXTENSIONS = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
  gif: 'gif',
} as const satisfies Record<ImageFormat, Extension>

/** What the encoders can hold on one side, in pixels. */
const SIDE_MAX = { jpeg: 65_500, png: 65_535, webp: 16_383, avif: 16_384, gif: 65_535 } as const

/** An AVIF's encoder holds 20 bytes and more of each pixel: up to the largest photographs of phones. */
export const AVIF_MEGAPIXELS_MAX = 110

/**
 * The largest picture that is taken in, in pixels; of an animation, of all its frames. None that is made is
 * larger, so that every result can be an input again.
 */
export const PICTURE_PIXELS_MAX = 0x3fff * 0x3fff
export const MEGAPIXELS_MAX = Math.floor(PICTURE_PIXELS_MAX / 1_000_000)
/** Of a width that is asked for, where the height beside it makes too many. */
export const TOO_MANY_PIXELS = `with this height makes more than ${MEGAPIXELS_MAX} megapixels, the most that a picture has here`

/** What decoders call a format that we write. AVIF is one kind of HEIF, and libvips says just that. */
const WRITABLE: ReadonlyMap<string, ImageFormat> = new Map([
  ['jpeg', 'jpeg'],
  ['jpg', 'jpeg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['avif', 'avif'],
  ['gif', 'gif'],
])

/** Formats whose metadata can be changed without writing the pixels anew, and their extensions. */
const EDITABLE: ReadonlyMap<string, Extension> = new Map([
  ['jpeg', 'jpg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['tiff', 'tif'],
  ['avif', 'avif'],
  ['heic', 'heic'],
  ['gif', 'gif'],
])

/** The file for a picture whose metadata alone changes; null where it must be written anew for that. */
export function editableFile(stem: string, format: string): string | null {
  const extension = EDITABLE.get(format)
  return extension === undefined ? null : `${stem}.${extension}`
}

/**
 * The output file for an operation that keeps the input's format. A format that is read but not
 * written (TIFF, HEIC) becomes JPEG, or PNG where transparency would be lost.
 */
export function keptFormat(
  stem: string,
  image: Pick<ImageFacts, 'format' | 'has_alpha'>,
): { file: string; format: ImageFormat } {
  const format = WRITABLE.get(image.format.toLowerCase()) ?? (image.has_alpha ? 'png' : 'jpeg')
  return { file: imageFile(stem, format), format }
}

/** Whether a format keeps the frames of an animation; the others get its first. */
export function holdsFrames(format: ImageFormat): boolean {
  return format === 'gif' || format === 'webp'
}

/** What is written as JPEG has lost its transparency. */
export function holdsAlpha(format: ImageFormat): boolean {
  return format !== 'jpeg'
}

/** The name of an output file with the extension that people expect of its format. */
export function imageFile(stem: string, format: ImageFormat): string {
  return `${stem}.${EXTENSIONS[format]}`
}

/** Refuses a size that the format cannot hold, or its encoder not here, rather than have it fail later. */
export function refuseSize(
  field: string | null,
  format: ImageFormat,
  size: { width: number; height: number },
): PlanRefusal | null {
  const side_max = SIDE_MAX[format]
  const told = `the result would be ${size.width} x ${size.height} pixels; ${format.toUpperCase()}`
  if (Math.max(size.width, size.height) > side_max)
    return refuse(field, `${told} holds at most ${side_max} on a side`)
  if (format === 'avif' && size.width * size.height > AVIF_MEGAPIXELS_MAX * 1_000_000)
    return refuse(field, `${told} is made up to ${AVIF_MEGAPIXELS_MAX} megapixels here`)
  return null
}

/** Refuses a size that would not be taken in again. */
export function refusePixels(
  field: string | null,
  { width, height }: { width: number; height: number },
  frames = 1,
): PlanRefusal | null {
  if (width * height * frames <= PICTURE_PIXELS_MAX) return null
  const size = `${width} x ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}`
  return refuse(field, `the result would be ${size}; the most is ${MEGAPIXELS_MAX} megapixels in all`)
}
