import { open } from 'node:fs/promises'
import { type AvcSets, readFirstSlice, requireRecoveryPoint, startsWithIdr } from './avc-slices.ts'
import { CutMismatch } from './cut-mismatch.ts'
import type { RecoveryPoint } from './frame-places.ts'
import { type MoviePart, readSample } from './movie-part.ts'

/** Later frames only refer to frames after the recovery point. */
const SAMPLES_MAX = 64

/**
 * Checks whether the first frame of a copied part starts a sequence.
 * @throws CutMismatch if it does not, and is no recovery point either: decoding could not start with it.
 */
export async function startsSequence({ path, track: { samples } }: MoviePart): Promise<boolean> {
  const [first] = samples
  if (first === undefined) throw new CutMismatch('a part has no frames')
  const file = await open(path)
  try {
    const bytes = await readSample(file, first)
    if (startsWithIdr(bytes)) return true
    requireRecoveryPoint(bytes)
    return false
  } finally {
    await file.close()
  }
}

/**
 * Reads how the copied frames continue the sequence of earlier ones.
 * @returns null if they start a sequence.
 */
export async function readRecoveryPoint(
  { path, track: { samples } }: MoviePart,
  sets: AvcSets,
): Promise<RecoveryPoint | null> {
  const end = samples.findIndex(({ is_key }, at) => at > 0 && is_key)
  const read = samples.slice(0, Math.min(SAMPLES_MAX, end < 0 ? samples.length : end))
  const file = await open(path)
  try {
    const removed: number[] = []
    let [distance, start, before] = [0, 0, 0]
    let order = 0
    for (const [at, sample] of read.entries()) {
      const bytes = await readSample(file, sample)
      const slice = readFirstSlice(bytes, sets)
      if (at === 0) {
        if (slice.idr !== null) return null
        requireRecoveryPoint(bytes)
        if (!slice.is_reference) throw new CutMismatch('a recovery point is no reference')
        start = slice.frame
        before = slice.frame
        order = slice.order
      }
      const range = 2 ** sets.sequence.frame_bits
      distance += (slice.frame - before + range) % range
      before = slice.frame
      removed.push(...slice.removes.map((back) => back - distance).filter((back) => back > 0))
    }
    return { frame: start, order, removed: [...new Set(removed)] }
  } finally {
    await file.close()
  }
}
