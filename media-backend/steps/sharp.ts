import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { Environment } from '../environment.ts'
import { JobFailure } from '../failure.ts'

// Several images at once, each on one thread, gets more done than one image on all of them.
sharp.concurrency(1)
// Every input is another file: nothing would be found in a cache.
sharp.cache(false)
// Only the loaders that we need; no SVG, PDF, or any other that libvips was built with.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}File`),
})

type Limits = Pick<Environment, 'IMAGE_PIXELS_MAX' | 'IMAGE_SECONDS_MAX'>

/** Opens a picture under the limits; a truncated one is refused instead of filled with grey. */
export function openImage(path: string, limits: Limits, options: SharpOptions = {}): Sharp {
  const image = sharp(path, { failOn: 'error', limitInputPixels: limits.IMAGE_PIXELS_MAX, ...options })
  return image.timeout({ seconds: limits.IMAGE_SECONDS_MAX })
}

/** sharp's errors are about the file, but for those that the machine makes. */
export function imageFailure(error: unknown, limits: Limits): unknown {
  if (!(error instanceof Error) || error instanceof JobFailure) return error
  if (/No space left|ENOENT|EACCES|out of memory/i.test(error.message)) return error
  if (/exceeds pixel limit|dimensions? exceed/i.test(error.message)) {
    const megapixels = Math.floor(limits.IMAGE_PIXELS_MAX / 1_000_000)
    return new JobFailure('input_too_large', `The picture is too large: more than ${megapixels} megapixels.`)
  }
  if (/timeout/i.test(error.message)) {
    return new JobFailure('time_limit', 'The picture takes longer to process than one job may run.')
  }
  if (/unsupported image format|is not a known file format|not a known|blocked/i.test(error.message)) {
    return new JobFailure(
      'input_unreadable',
      'The file is not a picture that can be read here: JPEG, PNG, WebP, AVIF, GIF or TIFF.',
    )
  }
  return new JobFailure('input_unreadable', 'The picture cannot be read: it is damaged or incomplete.')
}
