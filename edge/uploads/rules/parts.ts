import type { Refusal } from '../../platform/errors/rules/table.ts'

/** Part sizes of multipart uploads. Contract: Uploads, Upload in parts. */
const MEBIBYTE = 1024 ** 2
/** R2 requires parts of 5 MiB to 5 GiB, all of the same size except the last. */
export const PART_BYTES_MIN = 5 * MEBIBYTE
export const PART_BYTES_MAX = 5 * 1024 * MEBIBYTE
/** Target number of parts per file. It is low because each part is signed separately. */
const PARTS_WANTED = 50
/** Maximum number of parts of an upload, set by S3. */
export const PARTS_MAX = 10_000

export interface PartPlan {
  part_bytes: number
  part_count: number
}

export function planParts(size_bytes: number): PartPlan {
  const wanted = Math.ceil(size_bytes / PARTS_WANTED / MEBIBYTE) * MEBIBYTE
  const part_bytes = Math.max(PART_BYTES_MIN, wanted)
  return { part_bytes, part_count: countParts(size_bytes, part_bytes) }
}

/** Returns the part size that S3 clients such as Uppy use for a file by default. */
export function partBytesFor(size_bytes: number): number {
  return Math.max(PART_BYTES_MIN, Math.ceil(size_bytes / PARTS_MAX))
}

export function countParts(size_bytes: number, part_bytes: number): number {
  return Math.ceil(size_bytes / part_bytes)
}

/** Returns the size of a part; null if its number is outside the declared size. */
export function partBytesOf(part_number: number, size_bytes: number, plan: PartPlan): number | null {
  if (!Number.isInteger(part_number) || part_number < 1 || part_number > plan.part_count) return null
  return Math.min(plan.part_bytes, size_bytes - (part_number - 1) * plan.part_bytes)
}

/** Validates a list of parts. Returns null if the list contains each part once and in order. */
export function judgePartList(
  numbers: readonly number[],
  { part_count }: PartPlan,
): Refusal<'parts_missing' | 'too_many_parts' | 'parts_out_of_order'> | null {
  const missing = Array.from({ length: part_count }, (_, index) => index + 1).filter(
    (number) => !numbers.includes(number),
  )
  const [first] = missing
  if (first !== undefined) {
    return { code: 'parts_missing', facts: { missing: missing.length, part_count, first } }
  }
  if (numbers.length > part_count) {
    return { code: 'too_many_parts', facts: { listed: numbers.length, part_count } }
  }
  return numbers.every((number, index) => number === index + 1) ? null : { code: 'parts_out_of_order' }
}

export type ContentRefusal = Refusal<
  'file_encoded' | 'file_larger_than_declared' | 'file_truncated' | 'file_type_mismatch'
>

const KINDS: readonly string[] = ['video', 'image', 'audio']

interface FoundContent {
  size_bytes: number
  kind: 'video' | 'image' | 'audio' | 'other'
  content_encoding?: string | undefined
}

/**
 * Compares an upload with its declaration. Files with a Content-Encoding are refused, because a storage proxy might
 * decompress them and jobs would read different bytes. A container with only audio looks the same as one with
 * video.
 * @returns null if they match.
 */
export function judgeContent(
  announced: { size_bytes: number; content_type: string },
  found: FoundContent,
): ContentRefusal | null {
  if (!isPlain(found.content_encoding)) return { code: 'file_encoded' }
  if (found.size_bytes !== announced.size_bytes) {
    const code = found.size_bytes > announced.size_bytes ? 'file_larger_than_declared' : 'file_truncated'
    return { code, facts: { declared: announced.size_bytes, found: found.size_bytes } }
  }
  const [kind = ''] = announced.content_type.toLowerCase().split('/')
  const isKnown = KINDS.includes(kind) && found.kind !== 'other'
  if (!isKnown || kind === found.kind || (kind === 'audio' && found.kind === 'video')) return null
  const facts = { declared: announced.content_type, found: found.kind }
  return { code: 'file_type_mismatch', facts }
}

function isPlain(encoding = ''): boolean {
  return ['', 'identity'].includes(encoding.trim().toLowerCase())
}
