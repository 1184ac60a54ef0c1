import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import type { Environment } from '../environment.ts'
import { failWith, JobFailure } from './failure.ts'
import type { Run } from './run.ts'
import { explainCoding } from './unsupported-coding.ts'

// Several images on one thread each give a higher throughput than one image on all threads.
sharp.concurrency(1)
// Every input is a different file, so a cache would never hit.
sharp.cache(false)
// Allows only the required loaders: no SVG, PDF or other formats that libvips was built with.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}File`),
})

export interface TimeLimit {
  /** Time limit of one sharp pipeline. */
  IMAGE_SECONDS_MAX: number
  /**
   * Deadline for all pipelines of a job, on the clock of performance.now(). If absent, each pipeline has the full
   * limit.
   */
  deadline_ms?: number | undefined
}
export type Limits = TimeLimit & Pick<Environment, 'IMAGE_PIXELS_MAX'>

/** Returns the limits for a pipeline in this job. */
export function limitsOf({
  environment,
  image_deadline_ms: deadline_ms,
}: Pick<Run, 'environment' | 'image_deadline_ms'>): Limits {
  const { IMAGE_PIXELS_MAX, IMAGE_SECONDS_MAX } = environment
  return { IMAGE_PIXELS_MAX, IMAGE_SECONDS_MAX, deadline_ms }
}

/**
 * Sets the timeout of a pipeline to the remaining time of its job.
 * @throws JobFailure if no time is left.
 */
export function limitTime(image: Sharp, { IMAGE_SECONDS_MAX, deadline_ms }: TimeLimit): Sharp {
  if (deadline_ms === undefined) return image.timeout({ seconds: IMAGE_SECONDS_MAX })
  const seconds = Math.ceil((deadline_ms - performance.now()) / 1000)
  if (seconds <= 0) throw outOfTime()
  return image.timeout({ seconds: Math.min(seconds, IMAGE_SECONDS_MAX) })
}

/** Opens an image with the limits applied. Truncated images fail instead of being filled with gray. */
export function openImage(path: string, limits: Limits, options: SharpOptions = {}): Sharp {
  const image = sharp(path, { failOn: 'error', limitInputPixels: limits.IMAGE_PIXELS_MAX, ...options })
  return limitTime(image, limits)
}

/**
 * Returns the displayed size of one frame, turned upright. Animations are not rotated: sharp cannot rotate their
 * frames, and browsers do not either.
 */
export function shownSize(header: Metadata): { width: number; height: number } {
  const { width, height, pageHeight, autoOrient } = header
  return countFrames(header) > 1 ? { width, height: pageHeight ?? height } : autoOrient
}

/** Counts the frames of an animation. For TIFF and HEIF files, only the first page or image is used. */
export function countFrames({ format, pages = 1 }: { format: string; pages?: number | undefined }): number {
  return format === 'gif' || format === 'webp' ? pages : 1
}

/** Returns the format name. libvips uses the same name for both kinds of HEIF, but sharp decodes only AVIF. */
export function formatOf({
  format,
  compression,
}: {
  format: string
  compression?: string | undefined
}): string {
  if (format !== 'heif') return format
  return compression === 'av1' ? 'avif' : 'heic'
}

/** Color spaces used between the decoder and the encoder, with 8 or 16 bits per channel. */
export type Space = 'srgb' | 'rgb16' | 'grey16'

/** Decoded pixels that pass from one sharp pipeline to the next. */
export interface RawImage {
  data: Buffer
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
  /** Height of one frame; the frames of an animation are stacked vertically. */
  page_height: number | null
  /** Defaults to 8-bit sRGB. */
  space?: Space
}

/** Runs a pipeline and returns its pixels, including any alpha channel. Defaults to 8-bit sRGB. */
export async function toRaw(image: Sharp, space: Space = 'srgb'): Promise<RawImage> {
  const pixels = image.toColorspace(space).raw({ depth: space === 'srgb' ? 'uchar' : 'ushort' })
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  const { width, height, channels, pageHeight } = info
  return { data, width, height, channels, page_height: pageHeight ?? null, space }
}

/**
 * Opens decoded pixels as a sharp pipeline.
 * @param limits time limit of the pipeline.
 */
export function fromRaw(raw: RawImage, limits: TimeLimit): Sharp {
  const { data, width, height, channels, page_height, space = 'srgb' } = raw
  const pixels = space === 'srgb' ? data : new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  const pages = page_height === null ? {} : { pageHeight: page_height }
  const image = sharp(pixels, { raw: { width, height, channels, ...pages }, limitInputPixels: false })
  return limitTime(image, limits)
}

export function outOfTime(): JobFailure {
  return failWith('image_time_limit')
}

/** Checks whether a pipeline exceeded its time limit, or did not start because no time was left. */
export function isOutOfTime(error: unknown): boolean {
  if (error instanceof JobFailure) return error.error_code === 'time_limit'
  return error instanceof Error && /timeout/i.test(error.message)
}

/** Converts a sharp error to a JobFailure, unless the machine is at fault. */
export function imageFailure(error: unknown, limits: Limits): unknown {
  if (!(error instanceof Error) || error instanceof JobFailure) return error
  if (/No space left|ENOENT|EACCES|out of memory/i.test(error.message)) return error
  if (/exceeds pixel limit|dimensions? exceed/i.test(error.message)) {
    return tooManyPixels(limits)
  }
  if (isOutOfTime(error)) return outOfTime()
  if (/unsupported image format|is not a known file format|not a known|blocked/i.test(error.message)) {
    return failWith('image_unsupported')
  }
  if (/Wrong tile image/.test(error.message)) {
    return failWith('mixed_tiles')
  }
  return explainCoding(error.message) ?? failWith('image_unreadable')
}

export function tooManyPixels({ IMAGE_PIXELS_MAX }: Pick<Limits, 'IMAGE_PIXELS_MAX'>): JobFailure {
  const megapixels = Math.floor(IMAGE_PIXELS_MAX / 1_000_000)
  return failWith('too_many_pixels', { megapixels })
}
