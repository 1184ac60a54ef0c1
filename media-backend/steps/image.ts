import { writeFile } from 'node:fs/promises'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import type { ImageAction, ImageFormat, ImageOutput, ImageStep } from '../../shared/operations/steps.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { imageFailure, openImage } from './sharp.ts'

/** What a picture turned out to be; the quality where it was searched for. */
export interface ImageMeasure extends Record<string, unknown> {
  width: number
  height: number
  quality?: number
}

/** Formats that keep the frames of an animation; the others get its first. */
const ANIMATED: ReadonlySet<ImageFormat> = new Set(['webp', 'gif'])
const QUALITY_DEFAULT: Record<ImageFormat, number> = { jpeg: 80, png: 100, webp: 80, avif: 50, gif: 1 }
/** Decoded pictures up to this size are kept in memory while a quality is searched. */
const RAW_BYTES_MAX = 256 * 1024 * 1024

/**
 * One sharp pipeline, from the file to the encoder, with the EXIF orientation applied first.
 * @throws JobFailure when the picture can't be read or can't be made small enough.
 */
export async function runImage(step: ImageStep, run: Run): Promise<ImageMeasure> {
  const { output } = step
  const path = fileIn(run.folder, output.file)
  const open = () => build(step, run)
  try {
    if (output.max_bytes !== null) return await encodeWithin(output.max_bytes, output, open, path)
    return sizeOf(await encode(open(), output.format, output.quality).toFile(path))
  } catch (error) {
    throw imageFailure(error, run.environment)
  }
}

function build(step: ImageStep, run: Run): Sharp {
  const animated = ANIMATED.has(step.output.format)
  const image = openImage(fileIn(run.folder, step.input), run.environment, { animated }).autoOrient()
  const done = step.actions.reduce(apply, image)
  return step.output.format === 'jpeg' ? done.flatten({ background: '#ffffff' }) : done
}

function apply(image: Sharp, action: ImageAction): Sharp {
  const { width, height, fit } = action
  return image.resize({ width: width ?? undefined, height: height ?? undefined, fit })
}

function encode(image: Sharp, format: ImageFormat, quality: number | null): Sharp {
  // For PNG a quality means a palette: without one it stays lossless. GIF has no quality.
  return image.toFormat(format, quality === null || format === 'gif' ? {} : { quality })
}

function sizeOf({ width, height, pageHeight }: OutputInfo): ImageMeasure {
  return { width, height: pageHeight ?? height }
}

interface Encoded {
  quality: number
  data: Buffer
  info: OutputInfo
}

/** The best quality whose file is no larger than `bytes_max`: the one asked for, or found by halving. */
async function encodeWithin(
  bytes_max: number,
  output: ImageOutput,
  open: () => Sharp,
  path: string,
): Promise<ImageMeasure> {
  const decoded = await decodeOnce(open)
  const attempt = async (quality: number, given: number | null = quality): Promise<Encoded> => {
    const { data, info } = await encode(decoded(), output.format, given).toBuffer({ resolveWithObject: true })
    return { quality, data, info }
  }
  const wanted = output.quality ?? QUALITY_DEFAULT[output.format]
  const first = await attempt(wanted, output.quality)
  const best = first.data.length <= bytes_max ? first : await searchQuality(bytes_max, wanted - 1, attempt)
  if (best === null) {
    const limit_kb = Math.floor(bytes_max / 1024)
    throw new JobFailure(
      'parameter_refused',
      `max_kb: the picture cannot be made as small as ${limit_kb} KB.`,
    )
  }
  await writeFile(path, best.data)
  return { ...sizeOf(best.info), quality: best.quality }
}

async function searchQuality(
  bytes_max: number,
  quality_max: number,
  attempt: (quality: number) => Promise<Encoded>,
): Promise<Encoded | null> {
  let best: Encoded | null = null
  let [low, high] = [1, quality_max]
  while (low <= high) {
    const tried = await attempt(Math.floor((low + high) / 2))
    if (tried.data.length <= bytes_max) {
      best = tried
      low = tried.quality + 1
    } else high = tried.quality - 1
  }
  return best
}

/** Decoding and resizing once serves every trial; an animation, whose frames raw pixels lose, starts anew. */
async function decodeOnce(open: () => Sharp): Promise<() => Sharp> {
  const image = open()
  const { pages = 1, width, height } = await image.metadata()
  if (pages > 1 || width * height * 4 > RAW_BYTES_MAX) return open
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const { width: columns, height: rows, channels } = info
  return () => sharp(data, { raw: { width: columns, height: rows, channels }, limitInputPixels: false })
}
