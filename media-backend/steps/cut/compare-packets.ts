import type { PlacedCut } from '../../../shared/planning/steps.ts'
import type { ListedPacket } from './list-packets.ts'

/** A packet of the source that the result must have, and its time there. */
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
  const packets = packetsOf(cuts, source)
  const wanted = cuts.flatMap((cut, position) => wantedOf(cut, packets[position] ?? [], position > 0))
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

/** Returns the packets of each cut in decoding order. Reads the source once, because both can be long. */
function packetsOf(cuts: readonly PlacedCut[], source: readonly ListedPacket[]): ListedPacket[][] {
  const earliest_later = source.map(({ pts }) => pts)
  for (let at = source.length - 2; at >= 0; at -= 1)
    earliest_later[at] = Math.min(earliest_later[at] ?? 0, earliest_later[at + 1] ?? 0)
  let from = 0
  return cuts.map(({ first, copy_end, tail }) => {
    const end = tail?.end ?? (copy_end?.pts ?? Number.POSITIVE_INFINITY) + 1
    while ((source[from]?.pts ?? first) < first) from += 1
    let to = from
    while ((earliest_later[to] ?? end) < end) to += 1
    return source.slice(from, to).filter(({ pts }) => pts >= first && pts < end)
  })
}

function wantedOf(
  { at, zero, first, copy, copy_end }: PlacedCut,
  packets: readonly ListedPacket[],
  follows: boolean,
): Wanted[] {
  const copy_last = copy_end?.pts ?? Number.POSITIVE_INFINITY
  let starts = follows || first < copy
  return packets.map((packet) => {
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
