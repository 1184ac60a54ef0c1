import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CutMismatch } from './cut-mismatch.ts'
import { placeFrames, type RecoveryPoint } from './frame-places.ts'
import type { AvcPlace } from './place-sample.ts'

const wrap = (value: number, range: number) => ((value % range) + range) % range

/**
 * Decodes frames as ITU-T H.264 says (8.2.1.1 and 8.2.5): completes their places in display order, and keeps references.
 * @returns the references before the recovery point, counted back from it.
 */
function decode(
  places: readonly AvcPlace[],
  next: RecoveryPoint,
  frame_bits: number,
  order_bits: number,
  references: number,
): number[] {
  const [frames, range] = [2 ** frame_bits, 2 ** order_bits]
  let [kept, number, order, shown]: [number[], number, number, number] = [[], 0, 0, -1]
  const readOrder = (bits: number) => order + wrap(bits - order + range / 2, range) - range / 2
  const skipTo = (frame: number) => {
    const distance = wrap(frame - number, frames)
    for (let lost = 1; lost < distance; lost += 1) kept = [...kept, number + lost].slice(-references)
    return number + distance
  }
  for (const [at, place] of places.entries()) {
    const at_number = at === 0 ? 0 : skipTo(wrap(place.frame, frames))
    if (at === 0) expect([wrap(place.frame, frames), wrap(place.order, range)]).toEqual([0, 0])
    else {
      expect(at_number).toBeGreaterThan(number)
      expect(kept).toContain(at_number - place.refers_to)
    }
    const at_order = readOrder(wrap(place.order, range))
    expect(at_order).toBeGreaterThan(shown)
    shown = at_order
    if (!place.is_reference) continue
    for (const back of place.removes ?? []) expect(kept).toContain(at_number - back)
    const removed = (place.removes ?? []).map((back) => at_number - back)
    kept = [...kept.filter((frame) => !removed.includes(frame)), at_number]
    if (place.removes === null) kept = kept.slice(-references)
    expect(kept.length).toBeLessThanOrEqual(references)
    number = at_number
    order = at_order
  }
  const start = skipTo(next.frame)
  expect(start).toBeGreaterThan(number)
  expect(readOrder(next.order)).toBeGreaterThan(shown)
  return kept.map((frame) => start - frame)
}

const recoveryPoint = fc.record({
  frame: fc.nat(15),
  order: fc.nat(31),
  references: fc.integer({ min: 2, max: 6 }),
})

test('frames continue to the number and the display order of the recovery point', () => {
  fc.assert(
    fc.property(recoveryPoint, fc.integer({ min: 5, max: 60 }), ({ frame, order, references }, count) => {
      const next = { frame, order, removed: [] }
      const sequence = { frame_bits: 4, order_bits: 5, references }
      decode(placeFrames(count, sequence, next), next, 4, 5, references)
    }),
    { numRuns: 40 },
  )
})

test('the frames that are removed later are references until then', () => {
  fc.assert(
    fc.property(recoveryPoint, fc.integer({ min: 20, max: 60 }), ({ frame, order, references }, count) => {
      // Every second frame, as the P-frames between B-frames that are references for a while.
      const removed = Array.from({ length: references - 1 }, (_, at) => 1 + 2 * at)
      const next = { frame, order, removed }
      const sequence = { frame_bits: 4, order_bits: 5, references }
      expect(decode(placeFrames(count, sequence, next), next, 4, 5, references)).toEqual(removed.toReversed())
    }),
    { numRuns: 40 },
  )
})

test('refuses a part that is too short', () => {
  const next = { frame: 9, order: 20, removed: [1] }
  expect(() => placeFrames(2, { frame_bits: 4, order_bits: 5, references: 4 }, next)).toThrow(CutMismatch)
})
