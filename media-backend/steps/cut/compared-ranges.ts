import { copiesFrames } from '../../../shared/ffmpeg/cuts/copied-frames.ts'
import type { PlacedCut } from '../../../shared/planning/steps.ts'
import type { FrameRange } from './compare-frames.ts'
import type { ListedPacket } from './list-packets.ts'

/** Frames after the first copied one that are decoded and compared, too. */
const AFTER_SECONDS = 1
/** Later than any frame. */
const END_OF_TIME = 2 ** 52

/**
 * Returns the encoded frames of a cut, the frames around the places where parts meet, and the keyframes among the copied
 * ones.
 * @param packets of the result.
 * @param is_last no other cut follows.
 */
export function rangesToCompare(
  cut: PlacedCut,
  packets: readonly Pick<ListedPacket, 'is_key' | 'pts'>[],
  { is_last, compares_keys }: { is_last: boolean; compares_keys: boolean },
): FrameRange[] {
  const { timescale, at, zero, first, copy, copy_end, tail } = cut
  if (!copiesFrames(cut)) return [{ from: first, to: copy }]
  const copied_to = copy_end === null ? END_OF_TIME : copy_end.pts + 1
  const end = tail?.end ?? copied_to
  const head = { from: first, to: Math.min(copy + AFTER_SECONDS * timescale, end) }
  const keys: FrameRange[] = compares_keys ? [{ from: copy, to: copied_to, only_keys: true }] : []
  // Nothing follows the copied frames.
  if (tail === null && is_last) return [...keys, head]
  const seam = tail?.start ?? copied_to
  const before = packets.filter(({ is_key, pts }) => is_key && pts < seam - zero + at)
  const seam_start = Math.max(copy, (before.at(-1)?.pts ?? 0) + zero - at)
  if (seam_start <= head.to) return [...keys, { from: first, to: end }]
  return [...keys, head, { from: seam_start, to: end }]
}
