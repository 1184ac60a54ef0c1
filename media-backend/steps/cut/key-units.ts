import { open } from 'node:fs/promises'
import { isSlice, unitType } from './avc-slices.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { findBox } from './movie-boxes.ts'
import { ENTRY, readSample } from './movie-part.ts'
import { readMovieTrack } from './movie-samples.ts'
import { splitUnits } from './unit-bytes.ts'

const [IDR_SLICE, SEQUENCE_SET, PICTURE_SET] = [5, 7, 8]

/**
 * What the keyframes of a video are. A decoder of H.264 puts recovery points in the wrong order if it skips the frames
 * between them.
 */
export type KeyKind = 'hevc' | 'idr' | 'recovery_point'

/**
 * Reads what the keyframes of an MP4 are: 'recovery_point' if any of them is one.
 * @throws CutMismatch if such a video has parameter sets among its frames, which could change them midway.
 */
export async function readKeyKind(path: string): Promise<KeyKind> {
  const { moov, samples } = await readMovieTrack(path)
  if (findBox(moov, `${ENTRY}/avcC`) === undefined) return 'hevc'
  const file = await open(path)
  let [recovers, has_sets] = [false, false]
  try {
    for (const sample of samples.filter(({ is_key }) => is_key)) {
      for (const unit of splitUnits(await readSample(file, sample))) {
        const type = unitType(unit)
        recovers ||= isSlice(unit) && type !== IDR_SLICE
        has_sets ||= type === SEQUENCE_SET || type === PICTURE_SET
      }
    }
  } finally {
    await file.close()
  }
  if (recovers && has_sets) throw new CutMismatch('frames have their own parameter sets')
  return recovers ? 'recovery_point' : 'idr'
}
