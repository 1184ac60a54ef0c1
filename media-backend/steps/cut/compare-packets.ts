import type { PlacedCut } from '../../../shared/planning/steps.ts'
import type { ListedPacket } from './list-packets.ts'

/** A packet of the source that belongs into the result, and its time there. */
interface Wanted extends ListedPacket {
  shown: number
  /** The first frame after an encoded part may be changed to start a sequence (breakLink). Its pixels are compared. */
  kept: 'no' | 'size' | 'bytes'
}

/**
 * Compares the packets of cuts with those of their source: every frame is there once and at its time, and the copied
 * packets have the same bytes, except for the type of the first.
 * @param source packets that include all cuts.
 * @returns what is wrong, or null.
 */
export function findDifference(
  cuts: readonly PlacedCut[],
  source: readonly ListedPacket[],
  result: readonly ListedPacket[],
): string | null {
  const wanted = cuts.flatMap((cut, position) => wantedOf(cut, source, position > 0))
  if (wanted.length !== result.length) return `${result.length} frames instead of ${wanted.length}`
  if (!isEqual(sorted(wanted.map(({ shown }) => shown)), sorted(result.map(({ pts }) => pts))))
    return 'a frame has moved'
  if (result.some(({ dts }, at) => dts <= (result[at - 1]?.dts ?? Number.NEGATIVE_INFINITY)))
    return 'decoding times do not increase'
  const copied = new Map(wanted.flatMap(({ shown, kept }) => (kept === 'no' ? [] : [[shown, kept]])))
  const fingerprintOf = (fingerprint: string, kept: string | undefined) =>
    kept === 'size' ? fingerprint.replace(/ .*/, '') : fingerprint
  const expected = wanted
    .filter(({ kept }) => kept !== 'no')
    .map(({ fingerprint, kept }) => fingerprintOf(fingerprint, kept))
  const found = result
    .filter(({ pts }) => copied.has(pts))
    .map(({ fingerprint, pts }) => fingerprintOf(fingerprint, copied.get(pts)))
  return isEqual(expected, found) ? null : 'a copied frame has changed'
}

function wantedOf(cut: PlacedCut, source: readonly ListedPacket[], follows: boolean): Wanted[] {
  const { at, zero, first, copy, copy_end, tail } = cut
  const copy_last = copy_end?.pts ?? Number.POSITIVE_INFINITY
  const end = tail?.end ?? copy_last + 1
  let starts = follows || first < copy
  return source
    .filter(({ pts }) => pts >= first && pts < end)
    .map((packet) => {
      const is_copied = packet.pts >= copy && packet.pts <= copy_last
      const kept = !is_copied ? 'no' : starts ? 'size' : 'bytes'
      if (is_copied) starts = false
      return { ...packet, shown: at + Math.max(0, packet.pts - zero), kept }
    })
}

function sorted(numbers: number[]): number[] {
  return numbers.sort((one, other) => one - other)
}

function isEqual<Value>(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}
