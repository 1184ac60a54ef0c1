import type { AvcSequence } from './avc-sets.ts'
import { CutMismatch } from './cut-mismatch.ts'
import type { AvcPlace } from './place-sample.ts'

/** A recovery point, and what the frames after it expect of the frames before it. */
export interface RecoveryPoint {
  frame: number
  order: number
  /** Earlier frames that later ones remove from the references, counted back from the recovery point. */
  removed: readonly number[]
}

type Sequence = Pick<AvcSequence, 'frame_bits' | 'order_bits' | 'references'>

/**
 * Returns places for the frames of an encoded part that starts a sequence, so that the copied frames after it continue
 * that sequence. The numbers of those frames are relative to the frames before them.
 * @param next the recovery point after the part; null if a new sequence follows.
 * @throws CutMismatch if the part is too short for that.
 */
export function placeFrames(count: number, sequence: Sequence, next: RecoveryPoint | null): AvcPlace[] {
  if (next === null) return inSequence(count, count, [])
  if (next.removed.length === 0) return placeBeforeGap(count, sequence, next)
  const orders = ordersBefore(count, sequence.order_bits, next.order)
  const numbers = numbersBefore(count, sequence, next)
  return numberFrames(numbers, sequence.references, new Set(next.removed.map((back) => -back))).map(
    (place, at) => ({ ...place, frame: place.frame + next.frame, order: orders[at] ?? 0 }),
  )
}

/** Numbers the frames from 0. Frames that decoders believe to be lost lie between them and the recovery point. */
function placeBeforeGap(
  count: number,
  { frame_bits, order_bits }: Sequence,
  next: RecoveryPoint,
): AvcPlace[] {
  // Two references in a row must not have the same number, so the last frame is no reference then.
  const references = next.frame === (count - 1) % 2 ** frame_bits ? count - 1 : count
  return inSequence(count, references, ordersBefore(references, order_bits, next.order))
}

function inSequence(count: number, references: number, orders: readonly number[]): AvcPlace[] {
  return Array.from({ length: count }, (_, frame) => {
    const order = orders[frame] ?? 2 * frame
    return { frame, order, refers_to: 1, removes: null, is_reference: frame < references }
  })
}

/**
 * Returns increasing places: one per reference, from 0, and one directly before the next frame, of whose place only the
 * low bits are stored. Decoders choose the place with these bits that is nearest to the previous reference, so no step
 * may reach half of the range.
 */
function ordersBefore(references: number, order_bits: number | null, next_bits: number): number[] {
  if (references < 1) throw new CutMismatch('too few frames are encoded before a recovery point')
  if (order_bits === null) return []
  const range = 2 ** order_bits
  const step_max = range / 2 - 2
  const used = 2 * (references + 1)
  const next = used + ((((next_bits - used) % range) + range) % range)
  if (next > references * step_max)
    throw new CutMismatch('too few frames are encoded before a recovery point')
  const orders = Array.from({ length: references }, (_, frame) =>
    Math.max(2 * frame, next - (references - frame) * step_max),
  )
  return [...orders, next - 1]
}

/**
 * Returns increasing numbers, relative to the recovery point. The first one is stored as 0. The last ones are those that
 * later frames remove, and the one directly before the recovery point. Gaps between numbers are so small that the frame
 * before a gap is still a reference after it.
 */
function numbersBefore(count: number, { frame_bits, references }: Sequence, next: RecoveryPoint): number[] {
  const ends = [...new Set([1, ...next.removed])].sort((one, other) => other - one).map((back) => -back)
  const steps = count - ends.length
  const range = 2 ** frame_bits
  const [last = 0] = ends
  // The first number is a multiple of the range before this distance.
  const missing = (((last + next.frame - steps) % range) + range) % range
  if (steps < 1 || missing > steps * (references - 1))
    throw new CutMismatch('too few frames are encoded before a recovery point')
  let number = last - steps - missing
  let left = missing
  const numbers = [number]
  for (let step = 0; step < steps; step += 1) {
    const skipped = Math.min(left, references - 1)
    left -= skipped
    number += 1 + skipped
    numbers.push(number)
  }
  return [...numbers, ...ends.slice(1)]
}

/** Keeps only the frames of `kept` as references, although each frame refers to the one before it. */
function numberFrames(
  numbers: readonly number[],
  references: number,
  kept: ReadonlySet<number>,
): Omit<AvcPlace, 'order'>[] {
  let known: number[] = []
  const wanted: number[] = []
  return numbers.map((frame, at) => {
    const before = numbers[at - 1]
    if (before === undefined) {
      known = [frame]
      return { frame, refers_to: 1, removes: null, is_reference: true }
    }
    if (kept.has(before)) wanted.push(before)
    for (let missing = before + 1; missing < frame; missing += 1)
      known = [...known, missing].slice(-references)
    const removed = known.filter((number) => !kept.has(number))
    if (wanted.concat(before).some((number) => !known.includes(number)))
      throw new CutMismatch('the references before a recovery point cannot be kept')
    known = [...wanted, frame]
    if (known.length > references) throw new CutMismatch('there are more references than the sequence has')
    return {
      frame,
      refers_to: frame - before,
      removes: removed.map((number) => frame - number),
      is_reference: true,
    }
  })
}
