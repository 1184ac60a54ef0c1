import { z } from 'zod'
import type { ImageEdit } from '../ffmpeg/edit.ts'

const BYTES_PER_KB = 1024

/** Output formats that callers can request; every browser shows them. */
export const WebFormat = z.enum(['webp', 'avif', 'jpeg', 'png'])

/** Describes the handling of animations, for parameter descriptions. */
export const ANIMATIONS =
  'WebP keeps all frames of an animation; other formats keep the first, and frames_dropped counts the rest'

export const Quality = z.int().min(1).max(100)

export const MaxKb = z
  .int()
  .min(1)
  .max(1_048_576)
  .optional()
  .describe('Maximum file size in kilobytes (1024 bytes). quality is then the highest quality that is tried')

/** Describes the size guarantee that applies without `quality`, for parameter descriptions. Follows "Default: …,". */
export const NEVER_LARGER =
  'or lower if the file would grow. If it would still grow, an upright sRGB image in the same format keeps its pixels (input_kept in the result). larger_than_input reports a result that is nevertheless larger'

interface WebOutput {
  format?: z.output<typeof WebFormat>
  quality?: number
  max_kb?: number
  never_larger: boolean
  similarity_min?: number | undefined
}

/** Returns the output settings of an edit. Sets every field, so the last such edit in a pipeline wins. */
export function webOutput({
  format,
  quality,
  max_kb,
  never_larger,
  similarity_min,
}: WebOutput): ImageEdit['output'] {
  return {
    ...(format === undefined ? {} : { format }),
    quality: quality ?? null,
    max_bytes: max_kb === undefined ? null : max_kb * BYTES_PER_KB,
    never_larger,
    is_compact: true,
    similarity_min: similarity_min ?? null,
  }
}
