/** Uploads by parts. Contract: Uploads, Upload in parts. */
const MEBIBYTE = 1024 ** 2
/** R2 takes parts of 5 MiB to 5 GiB, equal but the last. */
const PART_BYTES_MIN = 5 * MEBIBYTE
/** Parts are asked for one at a time, about so often for each file. */
const PARTS_WANTED = 50
/** Of a list that a client sends, before anything is known of its upload. */
export const PARTS_MAX = 10_000

export interface PartPlan {
  part_bytes: number
  part_count: number
}

export function planParts(size_bytes: number): PartPlan {
  const wanted = Math.ceil(size_bytes / PARTS_WANTED / MEBIBYTE) * MEBIBYTE
  const part_bytes = Math.max(PART_BYTES_MIN, wanted)
  return { part_bytes, part_count: Math.ceil(size_bytes / part_bytes) }
}

/** @returns null for a number that the claimed size has no part for. */
export function partBytesOf(part_number: number, size_bytes: number, plan: PartPlan): number | null {
  if (!Number.isInteger(part_number) || part_number < 1 || part_number > plan.part_count) return null
  return Math.min(plan.part_bytes, size_bytes - (part_number - 1) * plan.part_bytes)
}

/** What is wrong with a list of parts, as a sentence; null where each part is in it once, in order. */
export function judgePartList(numbers: readonly number[], { part_count }: PartPlan): string | null {
  const missing = Array.from({ length: part_count }, (_, index) => index + 1).filter(
    (number) => !numbers.includes(number),
  )
  if (missing.length > 0)
    return `${missing.length} of ${part_count} parts are missing, the first is ${missing[0]}`
  if (numbers.length > part_count)
    return `this upload has ${part_count} parts, and ${numbers.length} are listed`
  return numbers.every((number, index) => number === index + 1) ? null : 'parts must be listed in their order'
}

export type ContentRefusal = { status: 400 | 413 | 415; message: string }

const NAMES: Record<string, string> = { video: 'a video', image: 'an image', audio: 'an audio file' }

interface FoundContent {
  size_bytes: number
  kind: 'video' | 'image' | 'audio' | 'other'
  content_encoding?: string | undefined
}

/**
 * Compares an upload with what was announced. An encoded file is refused: a proxy of the storage may decompress it,
 * so its size and first bytes are not those that a job reads. Containers with audio alone look like those of videos.
 * @returns null where they agree.
 */
export function judgeContent(
  announced: { size_bytes: number; content_type: string },
  found: FoundContent,
): ContentRefusal | null {
  if (!isPlain(found.content_encoding)) {
    const message = 'the file was sent with a Content-Encoding header; send it as it is, without the header'
    return { status: 415, message }
  }
  if (found.size_bytes !== announced.size_bytes) {
    const message = `the file has ${found.size_bytes} bytes, and ${announced.size_bytes} were announced`
    return { status: found.size_bytes > announced.size_bytes ? 413 : 400, message }
  }
  const [kind = ''] = announced.content_type.toLowerCase().split('/')
  const isKnown = kind in NAMES && found.kind !== 'other'
  if (!isKnown || kind === found.kind || (kind === 'audio' && found.kind === 'video')) return null
  return {
    status: 415,
    message: `the file was announced as ${announced.content_type}, and is ${NAMES[found.kind]}`,
  }
}

function isPlain(encoding = ''): boolean {
  return ['', 'identity'].includes(encoding.trim().toLowerCase())
}
