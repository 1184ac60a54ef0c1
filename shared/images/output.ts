import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { ImageFacts } from '../planning/facts.ts'
import type { ImageAction, ImageFormat, ImageOutput } from '../planning/steps.ts'

/** What a device's tags add to a file, generously. */
const TAGS_BYTES = 4096
/**
 * Pictures up to these are written as small as the encoder can. To make its tables for one picture a JPEG's
 * holds six bytes of each pixel; an AVIF's holds 33, or 20 with colours at half the size.
 */
const LAVISH_PIXELS_MAX: Partial<Record<ImageFormat, number>> = { jpeg: 50_000_000, avif: 24_000_000 }
/** Actions that work on 16 bits a channel as on 8; the others draw or count in 8. */
const MOVING: ReadonlySet<ImageAction['action']> = new Set(['resize', 'crop', 'flip', 'rotate'])

interface Drawn {
  /** The input. */
  image: ImageFacts
  actions: readonly ImageAction[]
  /** The result. */
  after: Pick<ImageFacts, 'width' | 'height'>
  /** Metadata are written into the file afterwards. */
  is_tagged: boolean
}

/** How the picture that the actions leave is written, but for its name. */
export function outputOf(
  asked: ImageEdit['output'],
  format: ImageFormat,
  { image, actions, after, is_tagged }: Drawn,
): Omit<ImageOutput, 'file'> {
  const { quality = null, max_bytes = null, never_larger = false } = asked
  const room = max_bytes === null || !is_tagged ? max_bytes : Math.max(1, max_bytes - TAGS_BYTES)
  return {
    format,
    quality,
    max_bytes: room,
    ...(never_larger ? { never_larger } : {}),
    ...(format === 'png' && quality === null ? keptOf(asked, image, actions) : {}),
    ...(isSparing(format, after) ? { sparing: true } : {}),
  }
}

function isSparing(format: ImageFormat, { width, height }: Drawn['after']): boolean {
  return width * height > (LAVISH_PIXELS_MAX[format] ?? Number.POSITIVE_INFINITY)
}

/** What a PNG without a quality keeps of its input; where it is converted and no more: all that it can hold. */
function keptOf(
  asked: ImageEdit['output'],
  image: ImageFacts,
  actions: readonly ImageAction[],
): Pick<ImageOutput, 'bits_per_channel' | 'keeps_profile'> {
  if (asked.bits_per_channel === 8) return {}
  const is_deep = image.bits_per_channel === 16 && actions.every(({ action }) => MOVING.has(action))
  return {
    ...(is_deep ? { bits_per_channel: 16 } : {}),
    // A search for a size passes pixels on without their profile.
    ...(actions.length === 0 && asked.max_bytes == null && image.color === undefined
      ? { keeps_profile: true }
      : {}),
  }
}
