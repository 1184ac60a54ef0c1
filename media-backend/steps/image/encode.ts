import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'
import type { ImageFormat, ImageOutput } from '../../../shared/planning/steps.ts'
import { fromRaw, type Limits, type RawImage, type Space, toRaw } from '../../runtime/sharp.ts'
import { gifDelays } from './gif-delays.ts'
import { holdPixels } from './hold-pixels.ts'
import { encodeWebpFrames, type Frames } from './webp-frames.ts'

/** An image that is ready to be encoded any number of times. */
export interface DrawnImage {
  open(): Sharp
  /** The pixels that open() reads, if they are in memory (keepDecoded). */
  raw?: RawImage
  /** The frames of an animation and their timing; null for a still image. */
  animation: Frames | null
  /** Color space of the pixels. */
  space: Space
  /** True if the palette of the input GIF may no longer contain all colors. */
  adds_colors: boolean
  /** True if the input format is lossless. In that case, a lossless WebP may be smaller than a lossy one. */
  is_lossless: boolean
  /** True if the input differs from the result only in compression and metadata. */
  is_input: boolean
}

export interface Encoded {
  /** The quality that was tried, or 'lossless'. */
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
/** Decoded images up to this size stay in memory during a quality search. */
export const RAW_BYTES_MAX = 256 * 1024 * 1024
/**
 * Measured at equal similarity (docs/quality.md): 3 needs 6% more bytes than sharp's default of 4, in a quarter of
 * its time. Large images use 2, which needs 18% more in an eighth of the time.
 */
const AVIF_EFFORT = { full: 3, large: 2 }
const COLORS_MAX = 256

/** Encodes an image into memory. */
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

/** Encodes an image into a file. A still image is streamed line by line. */
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
  { format, saves_memory, is_compact }: Pick<ImageOutput, 'format' | 'saves_memory' | 'is_compact'>,
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
        ...(animation !== null && { delay: gifDelays(animation.delay) }),
        ...gifQuality(quality),
        reuse: !adds_colors,
        keepDuplicateFrames: true,
      })
    case 'webp':
      return open().webp({ ...played, ...options, lossless })
    case 'avif':
      return open().avif({
        ...options,
        effort: saves_memory ? AVIF_EFFORT.large : AVIF_EFFORT.full,
        chromaSubsampling: saves_memory ? '4:2:0' : '4:4:4',
      })
    case 'jpeg':
      return open().jpeg({
        ...options,
        optimiseCoding: saves_memory !== true,
        progressive: is_compact === true && saves_memory !== true,
      })
    case 'png':
      // Setting a quality implies a palette, which is limited to 8 bits. Without a quality, PNG is lossless.
      return quality === null ? open().toColorspace(space).png() : open().png(options)
  }
}

/** Returns the options for a GIF. The format has no quality setting, so a lower quality means fewer colors. */
function gifQuality(quality: number | null) {
  if (quality === null) return {}
  return { colors: Math.max(2, Math.round((COLORS_MAX * quality) / 100)) }
}

/** Decodes the image once if memory allows, so each attempt only has to encode it. */
export async function keepDecoded(image: DrawnImage, limits: Limits): Promise<DrawnImage> {
  const raw = await decodeStill(image)
  return raw === null ? image : { ...image, raw, open: () => fromRaw(raw, limits) }
}

/** Returns the pixels of a still image, or null if they do not fit into memory. */
async function decodeStill(image: DrawnImage): Promise<RawImage | null> {
  if (image.raw !== undefined) return image.raw
  const header = await image.open().metadata()
  const { width, height } = header
  const pixel_bytes = image.space === 'srgb' ? 4 : 8
  if (image.animation !== null || width * height * pixel_bytes > RAW_BYTES_MAX) return null
  return toRaw(image.open(), image.space)
}
