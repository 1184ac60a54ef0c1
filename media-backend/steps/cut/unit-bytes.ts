import { CutMismatch } from './cut-mismatch.ts'

/** The highest level allows 600 slices. Millions of tiny units would exhaust memory and time. */
const UNITS_MAX = 10_000

/**
 * Lists the units of a sample, one at a time. Each has its length of four bytes in front.
 * @throws CutMismatch if a unit is truncated, or if there are more than UNITS_MAX.
 */
export function* splitUnits(sample: Buffer): Generator<Buffer> {
  let count = 0
  for (let at = 0; at < sample.length; ) {
    const end = at + 4 + (at + 4 <= sample.length ? sample.readUInt32BE(at) : Number.NaN)
    if (!(end <= sample.length)) throw new CutMismatch('a unit is truncated')
    count += 1
    if (count > UNITS_MAX) throw new CutMismatch('a frame has too many units')
    yield sample.subarray(at + 4, end)
    at = end
  }
}

/** Removes the bytes that keep start codes out of a unit: 3 after two zeros. */
export function unescapeUnit(unit: Buffer): Buffer {
  const plain = Buffer.alloc(unit.length)
  let [size, zeros] = [0, 0]
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    plain[size] = byte
    size += 1
  }
  return plain.subarray(0, size)
}

export function escapeUnit(plain: Buffer): Buffer {
  const escaped = Buffer.alloc(Math.ceil(plain.length * 1.5) + 1)
  let [size, zeros] = [0, 0]
  for (const byte of plain) {
    if (zeros >= 2 && byte <= 3) {
      escaped[size] = 3
      size += 1
      zeros = 0
    }
    zeros = byte === 0 ? zeros + 1 : 0
    escaped[size] = byte
    size += 1
  }
  return escaped.subarray(0, size)
}

/** Reads an Exp-Golomb number at the start of a byte. */
export function readNumberAt(bytes: Buffer, at: number): number {
  return readBits(bytes, 8 * at).number()
}

/** Reads fields of any length, from a bit on. */
export function readBits(bytes: Buffer, from_bit: number) {
  let at = from_bit
  const bits = (count: number) => {
    if (at + count > 8 * bytes.length) throw new CutMismatch('a unit is truncated')
    let value = 0
    for (const end = at + count; at < end; at += 1)
      value = 2 * value + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  return {
    position: () => at,
    bits,
    /** Reads an Exp-Golomb number. */
    number() {
      let zeros = 0
      while (bits(1) === 0) {
        zeros += 1
        // Numbers in parameter sets and slice headers have at most 32 bits.
        if (zeros > 32) throw new CutMismatch('a number is too long')
      }
      return 2 ** zeros + bits(zeros) - 1
    },
  }
}

/** Writes an Exp-Golomb number as digits. */
export function numberBits(value: number): string {
  const digits = (value + 1).toString(2)
  return '0'.repeat(digits.length - 1) + digits
}

export function fixedBits(value: number, count: number): string {
  return value.toString(2).padStart(count, '0')
}

/** Replaces the bits before `to_bit` with these digits. The rest moves, up to the stop bit at the end of the unit. */
export function replaceStart(bytes: Buffer, digits: string, to_bit: number): Buffer {
  let last = bytes.length - 1
  while (last >= 0 && bytes[last] === 0) last -= 1
  const stop = 8 * last + 7 - Math.log2((bytes[last] ?? 1) & -(bytes[last] ?? 1))
  const bit_count = digits.length + stop + 1 - to_bit
  const moved = Buffer.alloc(Math.ceil(bit_count / 8))
  for (const [at, digit] of [...digits].entries())
    if (digit === '1') moved[at >> 3] = (moved[at >> 3] ?? 0) | (128 >> (at & 7))
  copyBits(bytes.subarray(0, last + 1), to_bit, moved, digits.length)
  return moved
}

/** Copies the bits from `from` to the end to another place, whose bits are 0. */
function copyBits(source: Buffer, from: number, target: Buffer, to: number): void {
  const shift = (from & 7) - (to & 7)
  const [first, start] = [from >> 3, to >> 3]
  for (let at = start; at < target.length; at += 1) {
    const place = first + at - start
    const [before, here, after] = [source[place - 1] ?? 0, source[place] ?? 0, source[place + 1] ?? 0]
    const byte =
      shift >= 0 ? (here << shift) | (after >> (8 - shift)) : (before << (8 + shift)) | (here >> -shift)
    const mask = at === start ? 0xff >> (to & 7) : 0xff
    target[at] = (target[at] ?? 0) | (byte & mask)
  }
}
