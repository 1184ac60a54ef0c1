import { CutMismatch } from './cut-mismatch.ts'
import { escapeUnit, fixedBits, numberBits, readBits, replaceStart, unescapeUnit } from './unit-bytes.ts'

/** Profiles from here whose parameter sets also describe the chroma format (ITU-T H.264, 7.3.2.1.1). */
const HIGH = 100
const HEADER_BITS = 8
/** Bits of frame numbers and of display orders, references of a sequence, and entries of a list of references. */
const [NUMBER_BITS_MAX, REFERENCES_MAX, LIST_MAX] = [16, 16, 32]

/** What slices need to know of their sequence (7.4.2.1.1). */
export interface AvcSequence {
  number: number
  frame_bits: number
  /** Length of the display order; null if it follows from the frame number. */
  order_bits: number | null
  references: number
  /** Position of the flag that allows gaps in frame numbers. */
  gaps_at: number
}

/** What slices need to know of their picture parameter set (7.4.2.2). */
export interface AvcPictures {
  number: number
  has_order_difference: boolean
  /** References in each of the two lists, unless the slice has another number. */
  references: readonly [number, number]
  weighs_p: boolean
  weighs_b: boolean
  has_redundancy: boolean
}

/** @throws CutMismatch if the sequence has features that encoded parts cannot share. */
export function readSequence(set: Buffer): AvcSequence {
  const fields = readBits(unescapeUnit(set), HEADER_BITS)
  const profile = fields.bits(8)
  fields.bits(16)
  const number = fields.number()
  if (profile >= HIGH) {
    const is_420_of_8_bits = fields.number() === 1 && fields.number() === 0 && fields.number() === 0
    const [bypasses_transform, scales] = [fields.bits(1), fields.bits(1)]
    if (!is_420_of_8_bits || bypasses_transform + scales > 0)
      throw new CutMismatch('the sequence has its own scaling or format')
  }
  const frame_bits = fields.number() + 4
  const order_type = fields.number()
  if (order_type !== 0 && order_type !== 2) throw new CutMismatch('the display order has a cycle')
  const order_bits = order_type === 0 ? fields.number() + 4 : null
  const references = fields.number()
  if (frame_bits > NUMBER_BITS_MAX || (order_bits ?? 0) > NUMBER_BITS_MAX)
    throw new CutMismatch('the sequence has too long numbers')
  if (references < 1 || references > REFERENCES_MAX)
    throw new CutMismatch(`the sequence has ${references} references`)
  const gaps_at = fields.position()
  fields.bits(1)
  fields.number()
  fields.number()
  if (fields.bits(1) === 0) throw new CutMismatch('frames may consist of fields')
  return { number, frame_bits, order_bits, references, gaps_at }
}

/** Allows gaps in frame numbers, which appear where frames are left out. */
export function allowGaps(set: Buffer): Buffer {
  const bytes = Buffer.from(unescapeUnit(set))
  const { gaps_at } = readSequence(set)
  bytes[gaps_at >> 3] = (bytes[gaps_at >> 3] ?? 0) | (0x80 >> (gaps_at & 7))
  return escapeUnit(bytes)
}

/** @throws CutMismatch if a list of references is longer than the standard allows. */
export function readListSize(fields: ReturnType<typeof readBits>): number {
  const size = fields.number() + 1
  if (size > LIST_MAX) throw new CutMismatch('a list of references is too long')
  return size
}

export function readPictures(set: Buffer): AvcPictures {
  const fields = readBits(unescapeUnit(set), HEADER_BITS)
  const number = fields.number()
  fields.number()
  fields.bits(1)
  const has_order_difference = fields.bits(1) === 1
  if (fields.number() > 0) throw new CutMismatch('frames have slice groups')
  const references = [readListSize(fields), readListSize(fields)] as const
  const [weighs_p, weighs_b] = [fields.bits(1) === 1, fields.bits(2) === 1]
  for (let skipped = 0; skipped < 3; skipped += 1) fields.number()
  fields.bits(2)
  return {
    number,
    has_order_difference,
    references,
    weighs_p,
    weighs_b,
    has_redundancy: fields.bits(1) === 1,
  }
}

/** Lets a picture parameter set refer to another sequence. */
export function referTo(set: Buffer, sequence: number): Buffer {
  const bytes = unescapeUnit(set)
  const fields = readBits(bytes, HEADER_BITS)
  const own = numberBits(fields.number())
  fields.number()
  const header = fixedBits(bytes[0] ?? 0, HEADER_BITS)
  return escapeUnit(replaceStart(bytes, header + own + numberBits(sequence), fields.position()))
}
