import type { SmartCut } from '../../../shared/planning/steps.ts'
import type { ListedPacket } from './list-packets.ts'

/**
 * Compares the packets of a cut with those of its source: every frame of the part is there once and at its time, and
 * the copied packets have the same bytes, except for the type of the first.
 * @param source packets that include the whole cut.
 * @returns what is wrong, or null.
 */
export function findDifference(
  { zero, first, copy, copy_end, tail }: SmartCut,
  source: readonly ListedPacket[],
  result: readonly ListedPacket[],
): string | null {
  const end = tail?.end ?? (copy_end === null ? Number.POSITIVE_INFINITY : copy_end.pts + 1)
  const wanted = source.filter(({ pts }) => pts >= first && pts < end)
  const times = ({ pts }: ListedPacket) => Math.max(0, pts - zero)
  if (wanted.length !== result.length) return `${result.length} frames instead of ${wanted.length}`
  if (!isEqual(sorted(wanted.map(times)), sorted(result.map(({ pts }) => pts)))) return 'a frame has moved'
  if (result.some(({ dts }, at) => dts <= (result[at - 1]?.dts ?? Number.NEGATIVE_INFINITY)))
    return 'decoding times do not increase'
  const copy_last = copy_end?.pts ?? Number.POSITIVE_INFINITY
  const isCopied = (pts: number) => pts >= copy && pts <= copy_last
  const copied = wanted.filter(({ pts }) => isCopied(pts))
  const kept = result.filter(({ pts }) => pts >= copy - zero && pts <= copy_last - zero)
  // The first frame after an encoded part may be changed to start a sequence (breakLink). Its pixels are compared.
  const fingerprints = (packets: readonly ListedPacket[]) =>
    packets.map(({ fingerprint }, at) =>
      at === 0 && first < copy ? fingerprint.replace(/ .*/, '') : fingerprint,
    )
  return isEqual(fingerprints(copied), fingerprints(kept.slice(-copied.length)))
    ? null
    : 'a copied frame has changed'
}

function sorted(numbers: number[]): number[] {
  return numbers.sort((one, other) => one - other)
}

function isEqual<Value>(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}
