import type { Run } from '../../runtime/run.ts'
import { readSets } from './avc-configuration.ts'
import type { AvcSets } from './avc-slices.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { placeFrames } from './frame-places.ts'
import { requireBox } from './movie-boxes.ts'
import { ENTRY, type MoviePart, rewritePart } from './movie-part.ts'
import { placeSample } from './place-sample.ts'
import { readRecoveryPoint, startsSequence } from './recovery-point.ts'

/** Encoded parts that precede an IDR frame already have parameter sets of their own. */
export async function prepareAvc(parts: readonly MoviePart[]): Promise<readonly MoviePart[]> {
  await checkStarts(parts, false)
  return parts
}

/**
 * Places the encoded parts in the sequence of the copied frames. A recovery point continues the sequence of the frames
 * before it, so it could not follow another one.
 */
export async function prepareSharedAvc(parts: readonly MoviePart[], run: Run): Promise<MoviePart[]> {
  await checkStarts(parts, true)
  const copied = parts.find(({ encoded }) => !encoded)
  if (copied === undefined) throw new CutMismatch('no frame is copied')
  const shared = setsOf(copied)
  const prepared: MoviePart[] = []
  for (const [position, part] of parts.entries()) {
    const next = parts[position + 1]
    const placed = part.encoded
      ? await placePart(part, next?.encoded === false ? next : null, shared, run)
      : part
    prepared.push(placed)
  }
  return prepared
}

/** @throws CutMismatch if decoding cannot start with a copied part, or if a recovery point continues nothing. */
async function checkStarts(parts: readonly MoviePart[], shares_sequence: boolean): Promise<void> {
  for (const [position, part] of parts.entries()) {
    if (part.encoded || (await startsSequence(part)) || position === 0) continue
    if (!shares_sequence || parts[position - 1]?.encoded === false)
      throw new CutMismatch('a recovery point follows another sequence')
  }
}

/** @param next the copied part after it, if there is one. */
async function placePart(
  part: MoviePart,
  next: MoviePart | null,
  shared: AvcSets,
  run: Run,
): Promise<MoviePart> {
  const recovery = next === null ? null : await readRecoveryPoint(next, shared)
  const places = placeFrames(part.track.samples.length, shared.sequence, recovery)
  const from = setsOf(part)
  return rewritePart(
    part,
    (sample, at) => {
      const place = places[at]
      return place === undefined ? sample : placeSample(sample, from, shared.sequence, place)
    },
    run,
  )
}

function setsOf({ track: { moov } }: MoviePart): AvcSets {
  return readSets(requireBox(moov, `${ENTRY}/avcC`))
}
