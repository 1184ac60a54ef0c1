import type { ImageFacts } from '../planning/facts.ts'
import type { Extension } from '../planning/formats.ts'
import { type PlanRefusal, refuse } from '../planning/operation.ts'
import type { ImageFormat } from '../planning/steps.ts'
import { packTexts } from '../text/texts.ts'

const EXTENSIONS = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
  gif: 'gif',
} as const satisfies Record<ImageFormat, Extension>

/** Maximum side length that each encoder supports, in pixels. */
const SIDE_MAX = { jpeg: 65_500, png: 65_535, webp: 16_383, avif: 16_384, gif: 65_535 } as const

/**
 * The AVIF encoder needs at least 20 bytes of memory per pixel. The limit covers the largest phone photos.
 */
export const AVIF_MEGAPIXELS_MAX = 110

/**
 * Largest image accepted as an input, in pixels over all frames. Results have the same limit, so each of them can
 * be an input again.
 */
export const IMAGE_PIXELS_MAX = 0x3fff * 0x3fff
export const MEGAPIXELS_MAX = Math.floor(IMAGE_PIXELS_MAX / 1_000_000)
/** Refusal message for an image whose width times height exceeds the limit. */
/** Message of the schema for images with too many pixels. */
export const TOO_MANY_PIXELS = packTexts({
  en: `width x height exceeds the limit of ${MEGAPIXELS_MAX} megapixels. Use a smaller size`,
  uk: `добуток width і height перевищує обмеження ${MEGAPIXELS_MAX} Мп. Укажіть менший розмір`,
  ru: `произведение width и height превышает ограничение ${MEGAPIXELS_MAX} Мп. Укажите меньший размер`,
})

/** Maps format names of decoders to output formats. libvips reports AVIF as its parent format, HEIF. */
const WRITABLE: ReadonlyMap<string, ImageFormat> = new Map([
  ['jpeg', 'jpeg'],
  ['jpg', 'jpeg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['avif', 'avif'],
  ['gif', 'gif'],
])

/** Formats of graphics rather than photos, which stay lossless. */
const DRAWINGS: ReadonlySet<string> = new Set(['bmp', 'ico', 'svg'])

/** Extensions of the formats whose metadata can be changed without re-encoding the pixels. */
const EDITABLE: ReadonlyMap<string, Extension> = new Map([
  ['jpeg', 'jpg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['tiff', 'tif'],
  ['avif', 'avif'],
  ['heic', 'heic'],
  ['gif', 'gif'],
])

/** Returns the output file for a metadata-only change, or null if the format requires re-encoding. */
export function editableFile(stem: string, format: string): string | null {
  const extension = EDITABLE.get(format)
  return extension === undefined ? null : `${stem}.${extension}`
}

/**
 * Returns the output file for an operation that keeps the input's format. Formats without an encoder become PNG if
 * they are drawings or have transparency, otherwise JPEG.
 */
export function keptFormat(
  stem: string,
  image: Pick<ImageFacts, 'format' | 'has_alpha' | 'few_colors'>,
): { file: string; format: ImageFormat } {
  const is_graphic = image.has_alpha || image.few_colors === true || DRAWINGS.has(image.format)
  const format = WRITABLE.get(image.format.toLowerCase()) ?? (is_graphic ? 'png' : 'jpeg')
  return { file: imageFile(stem, format), format }
}

/** Checks whether a format keeps all frames of an animation. Other formats keep only the first. */
export function supportsAnimation(format: ImageFormat): boolean {
  return format === 'gif' || format === 'webp'
}

/** Checks whether a format supports transparency. */
export function supportsAlpha(format: ImageFormat): boolean {
  return format !== 'jpeg'
}

/** Returns the output file name with the usual extension of the format. */
export function imageFile(stem: string, format: ImageFormat): string {
  return `${stem}.${EXTENSIONS[format]}`
}

/** Refuses a size that the format or its encoder does not support, before anything runs. */
export function refuseSize(
  field: string | null,
  format: ImageFormat,
  size: { width: number; height: number },
): PlanRefusal | null {
  const side_max = SIDE_MAX[format]
  const { width, height } = size
  const name = format.toUpperCase()
  if (Math.max(width, height) > side_max)
    return refuse(field, {
      en: `the result would be ${width} x ${height} pixels, but ${name} is limited to ${side_max} pixels per side. Use a smaller size`,
      uk: `розмір результату був би ${width} x ${height} пікселів, а обмеження ${name} — ${side_max} пікселів на сторону. Укажіть менший розмір`,
      ru: `размер результата был бы ${width} x ${height} пикселей, а ограничение ${name} — ${side_max} пикселей на сторону. Укажите меньший размер`,
    })
  if (format === 'avif' && width * height > AVIF_MEGAPIXELS_MAX * 1_000_000)
    return refuse(field, {
      en: `the result would be ${width} x ${height} pixels, but ${name} is limited to ${AVIF_MEGAPIXELS_MAX} megapixels. Use a smaller size`,
      uk: `розмір результату був би ${width} x ${height} пікселів, а обмеження ${name} — ${AVIF_MEGAPIXELS_MAX} Мп. Укажіть менший розмір`,
      ru: `размер результата был бы ${width} x ${height} пикселей, а ограничение ${name} — ${AVIF_MEGAPIXELS_MAX} Мп. Укажите меньший размер`,
    })
  return null
}

/** Refuses a result that would be too large to be an input again. */
export function refusePixels(
  field: string | null,
  { width, height }: { width: number; height: number },
  frames = 1,
): PlanRefusal | null {
  if (width * height * frames <= IMAGE_PIXELS_MAX) return null
  const is_animated = frames > 1
  return refuse(field, {
    en: `the result would be ${width} x ${height} pixels${is_animated ? ` in ${frames} frames` : ''}, but the limit is ${MEGAPIXELS_MAX} megapixels in total. Use a smaller size`,
    uk: `розмір результату був би ${width} x ${height} пікселів${is_animated ? ` (кадрів: ${frames})` : ''}, а загальне обмеження — ${MEGAPIXELS_MAX} Мп. Укажіть менший розмір`,
    ru: `размер результата был бы ${width} x ${height} пикселей${is_animated ? ` (кадров: ${frames})` : ''}, а общее ограничение — ${MEGAPIXELS_MAX} Мп. Укажите меньший размер`,
  })
}
