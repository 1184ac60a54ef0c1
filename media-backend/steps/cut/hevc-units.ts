import { CutMismatch } from './cut-mismatch.ts'
import { escapeUnit, readNumberAt, splitUnits, unescapeUnit } from './unit-bytes.ts'

/**
 * Number of the parameter sets of encoded HEVC parts. The encoder always writes 0. As 15 takes a byte more, all bits
 * after it keep their positions within their bytes.
 */
export const HEVC_PARAMETER_SET = 15
/** 15 as an Exp-Golomb number of 9 bits. */
const CODE = 0b000010000

const [FIRST_IRAP, LAST_IRAP, CRA, BLA_WITHOUT_LEADING] = [16, 23, 21, 18]
/** Unit types from here are not slices: parameter sets, messages. */
const FIRST_OTHER = 32
const [VPS, SPS, PPS] = [32, 33, 34]
const HEADER_BYTES = 2
/** Profile, tier and level without sub-layers, between the first byte of an SPS and its number. */
const PROFILE_BYTES = 12

export function unitType(unit: Buffer): number {
  return ((unit[0] ?? 0) >> 1) & 0x3f
}

/** Changes the parameter set that the slices of an encoded sample use, from 0 to HEVC_PARAMETER_SET. */
export function renumberSample(sample: Buffer): Buffer {
  const renumbered: Buffer[] = []
  for (const unit of splitUnits(sample)) {
    const changed = unitType(unit) < FIRST_OTHER ? renumberSlice(unit) : unit
    const size = Buffer.alloc(4)
    size.writeUInt32BE(changed.length)
    renumbered.push(size, changed)
  }
  return Buffer.concat(renumbered)
}

/** Slice header: a flag, another one in random access units, then the number (ITU-T H.265, 7.3.6.1). */
function renumberSlice(unit: Buffer): Buffer {
  const type = unitType(unit)
  const flags = type >= FIRST_IRAP && type <= LAST_IRAP ? 2 : 1
  return escapeUnit(replaceZero(unescapeUnit(unit), 8 * HEADER_BYTES + flags))
}

/** Changes the numbers within a parameter set, from 0 to HEVC_PARAMETER_SET. */
export function renumberSet(set: Buffer): Buffer {
  const type = unitType(set)
  const bytes = Buffer.from(unescapeUnit(set))
  // A PPS starts with its own number, then that of its SPS.
  if (type === PPS) {
    const own = replaceZero(bytes, 8 * HEADER_BYTES)
    return escapeUnit(replaceZero(own, 8 * HEADER_BYTES + 9))
  }
  if (type !== VPS && type !== SPS) return set
  const first = bytes[HEADER_BYTES] ?? 0
  if (first >> 4 !== 0) throw new CutMismatch('an encoded part numbers its parameter sets otherwise')
  bytes[HEADER_BYTES] = (HEVC_PARAMETER_SET << 4) | (first & 0x0f)
  if (type === VPS) return escapeUnit(bytes)
  if ((first & 0x0e) !== 0) throw new CutMismatch('an encoded part has temporal layers')
  return escapeUnit(replaceZero(bytes, 8 * (HEADER_BYTES + 1 + PROFILE_BYTES)))
}

/** Returns the number of a parameter set. */
export function setNumberOf(set: Buffer): number {
  const bytes = unescapeUnit(set)
  const first = bytes[HEADER_BYTES] ?? 0
  if (unitType(set) === VPS) return first >> 4
  if (unitType(set) === PPS) return readNumberAt(bytes, HEADER_BYTES)
  const layers = (first >> 1) & 7
  return layers === 0 ? readNumberAt(bytes, HEADER_BYTES + 1 + PROFILE_BYTES) : Number.NaN
}

/** Replaces the Exp-Golomb number 0, a single bit, by HEVC_PARAMETER_SET. */
function replaceZero(bytes: Buffer, bit: number): Buffer {
  const at = bit >> 3
  const shift = bit & 7
  const byte = bytes[at] ?? 0
  const is_zero = ((byte >> (7 - shift)) & 1) === 1
  if (!is_zero) throw new CutMismatch('an encoded part numbers its parameter sets otherwise')
  const before = (byte >> (8 - shift)) << (16 - shift)
  const after = byte & ((1 << (7 - shift)) - 1)
  const widened = before | (CODE << (7 - shift)) | after
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([widened >> 8, widened & 0xff]),
    bytes.subarray(at + 1),
  ])
}

/**
 * Turns an access point that refers to earlier frames (CRA) into one that starts a new sequence (BLA), because other
 * frames now come before it. The frames that need the earlier ones are not copied.
 * @returns whether the sample is one.
 */
export function breakLink(sample: Buffer): boolean {
  let is_changed = false
  for (const unit of splitUnits(sample)) {
    if (unitType(unit) !== CRA) continue
    unit[0] = ((unit[0] ?? 0) & 0x81) | (BLA_WITHOUT_LEADING << 1)
    is_changed = true
  }
  return is_changed
}
