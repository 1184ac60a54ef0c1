import { z } from 'zod'
import type { ImageEdit } from '../ffmpeg/edit.ts'

const BYTES_PER_KB = 1024

/** The formats that a person may ask for, all of which every browser shows. */
export const WebFormat = z.enum(['webp', 'avif', 'jpeg', 'png'])

/** What becomes of an animation, in the words of the documentation. */
export const ANIMATIONS =
  'of an animation WebP keeps all frames, the others take the first and frames_dropped tells of the rest'

export const Quality = z.int().min(1).max(100)

export const MaxKb = z
  .int()
  .min(1)
  .max(1_048_576)
  .optional()
  .describe('The result is at most this many kilobytes (of 1024 bytes); quality is the most that is tried')

/** What a picture becomes that would not get smaller, after "omitted, ". */
export const NEVER_LARGER =
  'or less where the file would get larger; one in the same format, upright and in sRGB, then stays as it is but for its metadata, and input_kept tells of it'

interface WebOutput {
  format?: z.output<typeof WebFormat>
  quality?: number
  max_kb?: number
  never_larger: boolean
}

/** What an edit wants of its file where these parameters were given; in a row it says all of it anew. */
export function webOutput({ format, quality, max_kb, never_larger }: WebOutput): ImageEdit['output'] {
  return {
    ...(format === undefined ? {} : { format }),
    quality: quality ?? null,
    max_bytes: max_kb === undefined ? null : max_kb * BYTES_PER_KB,
    never_larger,
  }
}
