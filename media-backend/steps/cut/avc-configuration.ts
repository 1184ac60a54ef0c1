import { PART_PARAMETER_SET } from '../../../shared/ffmpeg/cuts/part-encoder.ts'
import { allowGaps, readPictures, readSequence, referTo } from './avc-sets.ts'
import type { AvcSets } from './avc-slices.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { readNumberAt } from './unit-bytes.ts'

/** The parameter sets of an H.264 track, from its avcC box. */
interface AvcConfiguration {
  /** Version, profile, compatibility, level and the size of lengths. */
  head: Buffer
  sequence_sets: Buffer[]
  picture_sets: Buffer[]
  /** Further fields of the High profiles. */
  rest: Buffer
}

/**
 * Adds the parameter sets of the encoded parts to those of the copied frames.
 * @param shares_sequence adds only their picture parameter sets, for the sequence of the copied frames.
 * @throws CutMismatch if they share a number, or if the encoded parts differ.
 */
export function mergeAvcConfigurations(
  copied: Buffer,
  encoded: readonly Buffer[],
  shares_sequence: boolean,
): Buffer {
  const base = parseConfiguration(copied)
  const [part, ...others] = encoded.map(parseConfiguration)
  if (part === undefined) return copied
  for (const other of others) if (!hasSameSets(part, other)) throw new CutMismatch('the encoded parts differ')
  const numbers = [
    ...base.sequence_sets.map((set) => readNumberAt(set, 4)),
    ...base.picture_sets.map((set) => readNumberAt(set, 1)),
  ]
  if (numbers.includes(PART_PARAMETER_SET))
    throw new CutMismatch('a parameter set has the number of the encoded parts')
  if (lengthSize(base) !== lengthSize(part)) throw new CutMismatch('the units have lengths of another size')
  const head = Buffer.from(base.head)
  head[3] = Math.max(base.head[3] ?? 0, part.head[3] ?? 0)
  if (shares_sequence) {
    const [sequence] = base.sequence_sets.map(readSequence)
    return formatConfiguration({
      ...base,
      sequence_sets: base.sequence_sets.map(allowGaps),
      picture_sets: [
        ...base.picture_sets,
        ...part.picture_sets.map((set) => referTo(set, sequence?.number ?? 0)),
      ],
    })
  }
  return formatConfiguration({
    head,
    sequence_sets: [...base.sequence_sets, ...part.sequence_sets],
    picture_sets: [...base.picture_sets, ...part.picture_sets],
    rest: base.rest,
  })
}

/**
 * Reads the parameter sets in an avcC box.
 * @throws CutMismatch if there is more than one sequence.
 */
export function readSets(configuration: Buffer): AvcSets {
  const { sequence_sets, picture_sets } = parseConfiguration(configuration)
  const [sequence, ...others] = sequence_sets.map(readSequence)
  if (sequence === undefined || others.length > 0) throw new CutMismatch('there is not exactly one sequence')
  return { sequence, pictures: picture_sets.map(readPictures) }
}

function lengthSize({ head }: AvcConfiguration): number {
  return (head[4] ?? 0) & 3
}

function hasSameSets(one: AvcConfiguration, other: AvcConfiguration): boolean {
  const sets = ({ sequence_sets, picture_sets }: AvcConfiguration) =>
    Buffer.concat([...sequence_sets, ...picture_sets])
  return sets(one).equals(sets(other))
}

function parseConfiguration(bytes: Buffer): AvcConfiguration {
  let at = 5
  const readSets = (count_mask: number) => {
    const count = (bytes[at] ?? 0) & count_mask
    at += 1
    return Array.from({ length: count }, () => {
      if (at + 2 > bytes.length) throw new CutMismatch('parameter sets are truncated')
      const size = bytes.readUInt16BE(at)
      at += 2 + size
      return bytes.subarray(at - size, at)
    })
  }
  const sequence_sets = readSets(0x1f)
  const picture_sets = readSets(0xff)
  return { head: bytes.subarray(0, 5), sequence_sets, picture_sets, rest: bytes.subarray(at) }
}

function formatConfiguration({ head, sequence_sets, picture_sets, rest }: AvcConfiguration): Buffer {
  const formatSets = (sets: readonly Buffer[], mask: number) => [
    Buffer.from([mask | sets.length]),
    ...sets.flatMap((set) => [Buffer.from([set.length >> 8, set.length & 0xff]), set]),
  ]
  return Buffer.concat([head, ...formatSets(sequence_sets, 0xe0), ...formatSets(picture_sets, 0), rest])
}
