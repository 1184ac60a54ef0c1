import type { AvcSequence } from './avc-sets.ts'
import { type AvcSets, isSlice, readSlice } from './avc-slices.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { escapeUnit, fixedBits, numberBits, replaceStart, splitUnits, unescapeUnit } from './unit-bytes.ts'

const HEADER_BITS = 8
const P = 0
/** Changes the first reference to an earlier frame, and ends the changes. */
const [EARLIER, LAST_CHANGE] = [0, 3]
const [REMOVE, LAST_REMOVAL] = [1, 0]

/** A place for an encoded frame in a sequence. */
export interface AvcPlace {
  /** Frame number and place in display order. Both wrap around. */
  frame: number
  order: number
  /** The frame before it, which it refers to, counted back from this one. */
  refers_to: number
  /** Frames that stop being references, counted back from this one. null keeps the latest ones. */
  removes: readonly number[] | null
  is_reference: boolean
}

/**
 * Places an encoded sample in another sequence.
 * @param from the parameter sets of the encoder: without B-frames, weights or arithmetic coding, and with one reference.
 */
export function placeSample(sample: Buffer, from: AvcSets, to: AvcSequence, place: AvcPlace): Buffer {
  const placed: Buffer[] = []
  for (const unit of splitUnits(sample)) {
    const changed = isSlice(unit) ? escapeUnit(placeSlice(unescapeUnit(unit), from, to, place)) : unit
    const size = Buffer.alloc(4)
    size.writeUInt32BE(changed.length)
    placed.push(size, changed)
  }
  return Buffer.concat(placed)
}

function placeSlice(bytes: Buffer, from: AvcSets, to: AvcSequence, place: AvcPlace): Buffer {
  const { address, slice_type, set, idr, references_at, end } = readSlice(bytes, from)
  const is_p = slice_type % 5 === P
  // The encoder writes the shortest form: the usual references, unchanged, of which the latest are kept.
  if (end - references_at !== (is_p ? 3 : idr === null ? 1 : 2))
    throw new CutMismatch('an encoded part chooses its references')
  const header = (bytes[0] ?? 0) & (place.is_reference ? 0xff : 0x1f)
  const { frame_bits, order_bits } = to
  const digits = [
    ...[fixedBits(header, HEADER_BITS), numberBits(address), numberBits(slice_type), numberBits(set)],
    fixedBits(wrap(place.frame, frame_bits), frame_bits),
    ...(idr === null ? [] : [numberBits(idr)]),
    ...(order_bits === null ? [] : [fixedBits(wrap(place.order, order_bits), order_bits)]),
    ...(is_p ? ['0', changeReference(place)] : []),
    ...(idr === null ? removeReferences(place) : ['00']),
  ]
  return replaceStart(bytes, digits.join(''), end)
}

function wrap(value: number, bits: number): number {
  const range = 2 ** bits
  return ((value % range) + range) % range
}

function changeReference({ refers_to }: AvcPlace): string {
  if (refers_to === 1) return '0'
  return `1${numberBits(EARLIER)}${numberBits(refers_to - 1)}${numberBits(LAST_CHANGE)}`
}

function removeReferences({ is_reference, removes }: AvcPlace): string[] {
  if (!is_reference) return []
  if (removes === null) return ['0']
  return [
    '1',
    ...removes.map((count) => numberBits(REMOVE) + numberBits(count - 1)),
    numberBits(LAST_REMOVAL),
  ]
}
