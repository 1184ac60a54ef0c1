import { type AvcPictures, type AvcSequence, readListSize } from './avc-sets.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { readBits, splitUnits, unescapeUnit } from './unit-bytes.ts'

const [SLICE, IDR_SLICE, MESSAGES, SEQUENCE_SET] = [1, 5, 6, 7]
const RECOVERY_POINT = 6
const HEADER_BITS = 8
/** Kinds of slices (ITU-T H.264, Table 7-6). A kind plus five means that all slices of the frame are of this kind. */
const [P, B, I] = [0, 1, 2]
/** Ends a list of changes to the references, or of references to remove. */
const [LAST_CHANGE, LAST_REMOVAL, REMOVE] = [3, 0, 1]
/** More than the standard allows: 33 changes of a list, and the removal of all references. */
const CHANGES_MAX = 66
/** Frame numbers have at most 16 bits. */
const DISTANCE_MAX = 2 ** 16
/** Longer than the header of any slice, and than the messages of a recovery point. */
const HEADER_BYTES_MAX = 16 * 1024

type Fields = ReturnType<typeof readBits>

/** The parameter sets of a track. */
export interface AvcSets {
  sequence: AvcSequence
  pictures: readonly AvcPictures[]
}

/** The header of a slice up to how its frame changes the references (7.3.3). */
export interface AvcSlice {
  address: number
  slice_type: number
  set: number
  /** Number of an IDR frame; null for other frames. */
  idr: number | null
  /** Frame number and place in display order. Both wrap around. */
  frame: number
  order: number
  /** Position of the number of references, which follows the place. */
  references_at: number
  /** Frames that stop being references afterwards, counted back from this one. */
  removes: number[]
  /** Position after all of this. */
  end: number
}

export function unitType(unit: Buffer): number {
  return (unit[0] ?? 0) & 0x1f
}

export function isSlice(unit: Buffer): boolean {
  return unitType(unit) === SLICE || unitType(unit) === IDR_SLICE
}

/** Reads the first slice of a sample. */
export function readFirstSlice(sample: Buffer, sets: AvcSets): AvcSlice & { is_reference: boolean } {
  for (const unit of splitUnits(sample))
    if (isSlice(unit)) return { ...readSlice(unescapeStart(unit), sets), is_reference: isReference(unit) }
  throw new CutMismatch('a frame has no slices')
}

/** Checks whether a sample starts a sequence. */
export function startsWithIdr(sample: Buffer): boolean {
  for (const unit of splitUnits(sample)) if (isSlice(unit)) return unitType(unit) === IDR_SLICE
  throw new CutMismatch('a frame has no slices')
}

/** @throws CutMismatch if decoding cannot start with this sample, or if it has its own parameter sets. */
export function requireRecoveryPoint(sample: Buffer): void {
  const units = [...splitUnits(sample)]
  if (units.some((unit) => unitType(unit) === SEQUENCE_SET))
    throw new CutMismatch('a frame has its own parameter sets')
  const messages = units.filter((unit) => unitType(unit) === MESSAGES)
  if (!messages.some((unit) => hasRecoveryPoint(unescapeStart(unit))))
    throw new CutMismatch('decoding cannot start with the first copied frame')
}

/** Looks for the message that all frames displayed from here on are correct (D.2.8). */
function hasRecoveryPoint(bytes: Buffer): boolean {
  let at = 1
  const readSum = () => {
    let sum = 0
    for (; bytes[at] === 0xff; at += 1) sum += 0xff
    at += 1
    return sum + (bytes[at - 1] ?? 0)
  }
  while (at + 2 < bytes.length) {
    const [type, size] = [readSum(), readSum()]
    if (type === RECOVERY_POINT) return readBits(bytes, 8 * at).number() === 0
    at += size
  }
  return false
}

/** Unescapes as much of a unit as is read. */
function unescapeStart(unit: Buffer): Buffer {
  return unescapeUnit(unit.subarray(0, HEADER_BYTES_MAX))
}

function isReference(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x60) !== 0
}

export function readSlice(bytes: Buffer, { sequence, pictures }: AvcSets): AvcSlice {
  const fields = readBits(bytes, HEADER_BITS)
  const [address, slice_type, set] = [fields.number(), fields.number(), fields.number()]
  const found = pictures.find(({ number }) => number === set)
  if (found === undefined) throw new CutMismatch('a frame refers to a missing parameter set')
  const frame = fields.bits(sequence.frame_bits)
  const idr = unitType(bytes) === IDR_SLICE ? fields.number() : null
  const order = sequence.order_bits === null ? 0 : fields.bits(sequence.order_bits)
  if (sequence.order_bits !== null && found.has_order_difference) fields.number()
  if (found.has_redundancy) fields.number()
  const references_at = fields.position()
  skipReferences(fields, slice_type % 5, found)
  const removes = isReference(bytes) ? readRemovals(fields, idr !== null) : []
  return { address, slice_type, set, idr, frame, order, references_at, removes, end: fields.position() }
}

/** Skips which references the slice uses, and their weights. */
function skipReferences(fields: Fields, kind: number, { references, weighs_p, weighs_b }: AvcPictures): void {
  if (kind > I) throw new CutMismatch('a frame has switching slices')
  if (kind === I) return
  if (kind === B) fields.bits(1)
  const lists = kind === P ? 1 : 2
  const is_overridden = fields.bits(1) === 1
  const counts = references.slice(0, lists).map((count) => (is_overridden ? readListSize(fields) : count))
  for (let list = 0; list < lists; list += 1) skipChanges(fields)
  if (kind === P ? !weighs_p : !weighs_b) return
  fields.number()
  fields.number()
  for (const count of counts) for (let at = 0; at < count; at += 1) skipWeights(fields)
}

/** Skips how a list of references is changed. */
function skipChanges(fields: Fields): void {
  if (fields.bits(1) === 0) return
  for (let count = 0; fields.number() !== LAST_CHANGE; count += 1) {
    if (count === CHANGES_MAX) throw new CutMismatch('a slice changes too many references')
    fields.number()
  }
}

/** Skips the factor and offset of luma, and those of both chroma planes. */
function skipWeights(fields: Fields): void {
  for (const numbers of [2, 4])
    if (fields.bits(1) === 1) for (let at = 0; at < numbers; at += 1) fields.number()
}

function readRemovals(fields: Fields, is_idr: boolean): number[] {
  if (is_idr) {
    if (fields.bits(2) !== 0) throw new CutMismatch('frames are kept as references for long')
    return []
  }
  const removes: number[] = []
  if (fields.bits(1) === 0) return removes
  for (let kind = fields.number(); kind !== LAST_REMOVAL; kind = fields.number()) {
    if (kind !== REMOVE) throw new CutMismatch('frames are kept as references for long')
    const distance = fields.number() + 1
    if (removes.length === CHANGES_MAX || distance > DISTANCE_MAX)
      throw new CutMismatch('a slice removes references that cannot exist')
    removes.push(distance)
  }
  return removes
}
