import { CutMismatch } from './cut-mismatch.ts'
import { HEVC_PARAMETER_SET, renumberSet, setNumberOf, unitType } from './hevc-units.ts'

/** Bytes before the parameter sets in an hvcC box (ISO/IEC 14496-15, 8.3.3.1), and of some fields among them. */
const HEAD_BYTES = 22
const [LEVEL_AT, LENGTH_AT] = [12, 21]
const [FIRST_SET, LAST_SET] = [32, 34]

/** The parameter sets of an HEVC track. */
interface HevcConfiguration {
  head: Buffer
  arrays: { type: number; sets: Buffer[] }[]
}

/**
 * Adds the parameter sets of the encoded parts, under their new number, to those of the copied frames.
 * @throws CutMismatch if a copied set already has this number, or if the encoded parts differ.
 */
export function mergeHevcConfigurations(copied: Buffer, encoded: readonly Buffer[]): Buffer {
  const base = parseConfiguration(copied)
  const [part, ...others] = encoded
  if (part === undefined) return copied
  if (others.some((other) => !other.equals(part))) throw new CutMismatch('the encoded parts differ')
  const added = parseConfiguration(part)
  const numbers = base.arrays.filter(isSets).flatMap(({ sets }) => sets.map(setNumberOf))
  if (numbers.some((number) => !(number !== HEVC_PARAMETER_SET && number >= 0)))
    throw new CutMismatch('a parameter set has the number of the encoded parts')
  if (((base.head[LENGTH_AT] ?? 0) & 3) !== 3 || ((added.head[LENGTH_AT] ?? 0) & 3) !== 3)
    throw new CutMismatch('the units have lengths of another size')
  const head = Buffer.from(base.head)
  head[LEVEL_AT] = Math.max(base.head[LEVEL_AT] ?? 0, added.head[LEVEL_AT] ?? 0)
  const arrays = [FIRST_SET, FIRST_SET + 1, LAST_SET].map((type) => ({
    type,
    sets: [...setsOf(base, type), ...setsOf(added, type).map(renumberSet)],
  }))
  return formatConfiguration({ head, arrays: [...arrays, ...base.arrays.filter((array) => !isSets(array))] })
}

function isSets({ type }: { type: number }): boolean {
  return type >= FIRST_SET && type <= LAST_SET
}

function setsOf({ arrays }: HevcConfiguration, type: number): Buffer[] {
  return arrays.filter((array) => array.type === type).flatMap(({ sets }) => sets)
}

function parseConfiguration(bytes: Buffer): HevcConfiguration {
  let at = HEAD_BYTES
  const read = (size: number) => {
    if (at + size > bytes.length) throw new CutMismatch('parameter sets are truncated')
    at += size
    return bytes.subarray(at - size, at)
  }
  const arrays = Array.from({ length: read(1).readUInt8() }, () => {
    const type = read(1).readUInt8() & 0x3f
    const sets = Array.from({ length: read(2).readUInt16BE() }, () => read(read(2).readUInt16BE()))
    if (sets.some((set) => unitType(set) !== type)) throw new CutMismatch('parameter sets are mixed')
    return { type, sets }
  })
  return { head: bytes.subarray(0, HEAD_BYTES), arrays }
}

function formatConfiguration({ head, arrays }: HevcConfiguration): Buffer {
  const number16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
  return Buffer.concat([
    head,
    Buffer.from([arrays.length]),
    ...arrays.flatMap(({ type, sets }) => [
      // The highest bit says that all sets are here, as the sample type "hvc1" requires.
      Buffer.from([0x80 | type]),
      number16(sets.length),
      ...sets.flatMap((set) => [number16(set.length), set]),
    ]),
  ])
}
