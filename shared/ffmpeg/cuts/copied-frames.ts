import type { PlacedCut } from '../../planning/steps.ts'

/** Cuts of one video, in order. */
export type PlacedCuts = readonly [PlacedCut, ...PlacedCut[]]

/** Checks whether a cut copies any frames, or encodes all of them. */
export function copiesFrames({ copy, copy_end }: PlacedCut): boolean {
  return copy_end === null || copy_end.pts >= copy
}

/** Returns how many seconds of the result are copied. `seconds` is how long it lasts. */
export function copiedSeconds(cuts: PlacedCuts, seconds: number): number {
  const [{ timescale }] = cuts
  const units = cuts.filter(copiesFrames).map(({ at, zero, copy, copy_end, tail, length }) => {
    const end = tail === null || copy_end === null ? length : tail.start - zero
    return (end === null ? seconds * timescale - at : end) - Math.max(0, copy - zero)
  })
  return Math.round((units.reduce((sum, more) => sum + more, 0) / timescale) * 1000) / 1000
}
