import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'
import type { ImageFormat, ImageOutput } from '../../../shared/planning/steps.ts'
import { fromRaw, type Limits, type Space, toRaw } from '../../runtime/sharp.ts'
import { holdPixels } from './hold-pixels.ts'
import { encodeWebpFrames, type Frames } from './webp-frames.ts'

/** A picture that is ready to be encoded, as often as one likes. */
export interface DrawnImage {
  open(): Sharp
  /** The frames of an animation, and what they are played by; null for a still. */
  animation: Frames | null
  /** What its pixels are counted in. */
  space: Space
  /** The colors of a GIF's palette don't do for it any more. */
  adds_colors: boolean
  /** The input is of a format that loses nothing: a WebP that loses nothing may be smaller than one that does. */
  is_lossless: boolean
  /** The input is what would be written, but for how it is packed and for its metadata. */
  is_input: boolean
}

export interface Encoded {
  /** What was tried, or that nothing is lost. */
  quality: number | 'lossless'
  data: Buffer
  info: Pick<OutputInfo, 'width' | 'height' | 'pageHeight' | 'size'>
}

type Pipeline = Parameters<typeof encodeWebpFrames>[2]

export const QUALITY_DEFAULT: Record<ImageFormat, number> = {
  jpeg: 80,
  png: 100,
  webp: 80,
  avif: 50,
  gif: 100,
}
/** Decoded pictures up to this size are kept in memory while a quality is searched. */
const RAW_BYTES_MAX = 256 * 1024 * 1024
/** On one thread sharp's own choice, 4, takes seven times as long for files that are a tenth smaller. */
const AVIF_EFFORT = 2
const COLORS_MAX = 256

/** Encodes into memory. */
export async function encodeBuffer(
  image: DrawnImage,
  output: ImageOutput,
  given: number | null | 'lossless',
  limits: Pipeline,
): Promise<Pick<Encoded, 'data' | 'info'>> {
  if (output.format === 'webp' && image.animation !== null && given !== 'lossless')
    return encodeWebpFrames(image.animation, given ?? QUALITY_DEFAULT.webp, limits)
  if (output.format === 'gif' && image.animation !== null && typeof given === 'number') {
    const held = await holdPixels(image.animation, Math.round(((100 - given) * 8) / 25))
    const open = held === null ? image.open : () => fromRaw(held, limits)
    return encodeImage({ ...image, open }, output, given).toBuffer({ resolveWithObject: true })
  }
  return encodeImage(image, output, given).toBuffer({ resolveWithObject: true })
}

/** Encodes into a file, a still line after line. */
export async function encodeFile(
  path: string,
  image: DrawnImage,
  output: ImageOutput,
  limits: Pipeline,
): Promise<Encoded['info']> {
  if (image.animation === null) return encodeImage(image, output, output.quality).toFile(path)
  const { data, info } = await encodeBuffer(image, output, output.quality, limits)
  await writeFile(path, data)
  return info
}

function encodeImage(
  { open, animation, space, adds_colors }: DrawnImage,
  { format, saves_memory }: Pick<ImageOutput, 'format' | 'saves_memory'>,
  given: number | null | 'lossless',
): Sharp {
  const played = animation === null ? {} : { delay: [...animation.delay], loop: animation.loop }
  const lossless = given === 'lossless'
  const quality = lossless ? null : given
  const options = quality === null ? {} : { quality }
  switch (format) {
    case 'gif':
      return open().gif({
        ...played,
        ...gifQuality(quality),
        reuse: !adds_colors,
        keepDuplicateFrames: true,
      })
    case 'webp':
      return open().webp({ ...played, ...options, lossless })
    case 'avif':
      return open().avif({
        ...options,
        effort: AVIF_EFFORT,
        chromaSubsampling: saves_memory ? '4:2:0' : '4:4:4',
      })
    case 'jpeg':
      return open().jpeg({ ...options, optimiseCoding: saves_memory !== true })
    case 'png':
      // A quality means a palette, which has 8 bits: without one it stays lossless.
      return quality === null ? open().toColourspace(space).png() : open().png(options)
  }
}

/** A GIF has no quality: less means fewer colors. */
function gifQuality(quality: number | null) {
  if (quality === null) return {}
  return { colors: Math.max(2, Math.round((COLORS_MAX * quality) / 100)) }
}

/** Decodes once, where memory allows it, so that every trial costs an encode alone. */
export async function keepDecoded(image: DrawnImage, limits: Limits): Promise<DrawnImage> {
  const header = await image.open().metadata()
  const { width, height } = header
  const pixel_bytes = image.space === 'srgb' ? 4 : 8
  if (image.animation !== null || width * height * pixel_bytes > RAW_BYTES_MAX) return image
  const raw = await toRaw(image.open(), image.space)
  return { ...image, open: () => fromRaw(raw, limits) }
}
