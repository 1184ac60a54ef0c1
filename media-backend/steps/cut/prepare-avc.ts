import type { Run } from '../../runtime/run.ts'
import { readSets } from './avc-configuration.ts'
import type { AvcSets } from './avc-slices.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { placeFrames } from './frame-places.ts'
import { requireBox } from './movie-boxes.ts'
import { ENTRY, type MoviePart, rewritePart } from './movie-part.ts'
import { placeSample } from './place-sample.ts'
import { readRecoveryPoint } from './recovery-point.ts'

/**
 * Places the encoded parts in the sequence of the copied frames. A recovery point continues the sequence of the frames
 * before it, so it could not follow another one.
 */
export async function prepareAvc(parts: readonly MoviePart[], run: Run): Promise<MoviePart[]> {
  const copied = parts.find(({ encoded }) => !encoded)
  if (copied === undefined) throw new CutMismatch('no frame is copied')
  const shared = setsOf(copied)
  return Promise.all(
    parts.map(async (part, position) => {
      if (!part.encoded) return part
      const next = parts[position + 1]
      const recovery = next === undefined || next.encoded ? null : await readRecoveryPoint(next, shared)
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
    }),
  )
}

function setsOf({ track: { moov } }: MoviePart): AvcSets {
  return readSets(requireBox(moov, `${ENTRY}/avcC`))
}
