import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { ImageFacts } from '../planning/facts.ts'
import type { ImageAction, ImageFormat, ImageOutput } from '../planning/steps.ts'

/** Bytes reserved for device tags; a generous estimate. */
const TAGS_BYTES = 4096
/**
 * Maximum size of images that are encoded with the best compression. Optimizing the tables of a JPEG takes 6 bytes
 * of memory per pixel; AVIF takes 33, or 20 with 4:2:0 chroma subsampling.
 */
const FULL_OPTIMIZATION_PIXELS_MAX: Partial<Record<ImageFormat, number>> = {
  jpeg: 50_000_000,
  avif: 24_000_000,
}
/** Actions that support 16 bits per channel; the others draw or compute in 8 bits. */
const MOVING: ReadonlySet<ImageAction['action']> = new Set(['resize', 'crop', 'flip', 'rotate'])

/** Formats whose quality can be searched for by similarity. */
const SEARCHED: ReadonlySet<ImageFormat> = new Set(['jpeg', 'webp', 'avif'])

interface Drawn {
  /** The input. */
  image: ImageFacts
  actions: readonly ImageAction[]
  /** The result. */
  after: Pick<ImageFacts, 'width' | 'height'>
  /** True if a later step adds metadata to the file. */
  is_tagged: boolean
}

/** Returns the encoder settings for the result of the actions, except for the file name. */
export function outputOf(
  requested: ImageEdit['output'],
  format: ImageFormat,
  { image, actions, after, is_tagged }: Drawn,
): Omit<ImageOutput, 'file'> {
  const { quality = null, max_bytes = null, never_larger = false, similarity_min = null } = requested
  const size_limit = max_bytes === null || !is_tagged ? max_bytes : Math.max(1, max_bytes - TAGS_BYTES)
  return {
    format,
    quality,
    max_bytes: size_limit,
    ...(never_larger ? { never_larger } : {}),
    ...(format === 'png' && quality === null ? losslessSettings(requested, image, actions) : {}),
    ...(requested.is_compact && format === 'jpeg' ? { is_compact: true } : {}),
    ...(similarity_min !== null && SEARCHED.has(format) ? { similarity_min } : {}),
    ...(savesMemory(format, after) ? { saves_memory: true } : {}),
  }
}

function savesMemory(format: ImageFormat, { width, height }: Drawn['after']): boolean {
  return width * height > (FULL_OPTIMIZATION_PIXELS_MAX[format] ?? Number.POSITIVE_INFINITY)
}

/** Returns what lossless PNG output keeps of its input. A plain conversion keeps the bit depth and color profile. */
function losslessSettings(
  requested: ImageEdit['output'],
  image: ImageFacts,
  actions: readonly ImageAction[],
): Pick<ImageOutput, 'bits_per_channel' | 'keeps_profile'> {
  if (requested.bits_per_channel === 8) return {}
  const is_deep = image.bits_per_channel === 16 && actions.every(({ action }) => MOVING.has(action))
  return {
    ...(is_deep ? { bits_per_channel: 16 } : {}),
    // The search for a file size passes pixels on without their profile.
    ...(actions.length === 0 && requested.max_bytes == null && image.color === undefined
      ? { keeps_profile: true }
      : {}),
  }
}
