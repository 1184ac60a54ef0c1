import { expect, test } from 'vitest'
import type { Plan } from '../../planning/operation.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import type { PlacedCut } from '../../planning/steps.ts'
import { videoEdit } from '../edit.ts'
import { planSmartCuts } from './plan-smart-cut.ts'
import { preferCopy } from './prefer-copy.ts'

const PROBE = sampleProbe(
  { duration_seconds: 60 },
  { coding: { profile: 'High', level: 40 }, timescale: 1000 },
)

const FULL: Plan = { encode_mode: 'encode', steps: [], outputs: [{ file: 'full.mp4' }] }

/** A range that copies from 10 to 20 s and encodes a tail, and one from 22 s whose first frames are encoded. */
function cutsFrom(first: number): [PlacedCut, PlacedCut] {
  const [timescale, copy_end] = [1000, { dts: 20_000, pts: 20_000 }]
  return [
    {
      ...{ timescale, at: 0, zero: 10_000, first: 10_000, copy: 10_000, length: 11_000 },
      ...{ copy_end, tail: { start: 20_040, end: 20_961 } },
    },
    { timescale, at: 11_000, zero: 22_000, first, copy: 24_000, copy_end: null, tail: null, length: null },
  ]
}

function partsOf(cuts: [PlacedCut, PlacedCut]) {
  const { steps } = planSmartCuts(PROBE, cuts, videoEdit(PROBE, {}), FULL)
  return steps.flatMap((step) => (step.kind === 'join' ? step.parts : []))
}

test('ranges that follow each other are encoded together, unless both show the same frame', () => {
  const encoded = (first: number) => partsOf(cutsFrom(first)).map(({ start, encoded }) => encoded && start)
  expect(encoded(21_960)).toEqual([false, 10_040, false])
  expect(encoded(20_960)).toEqual([false, 10_040, 11_000, false])
})

test('a copy is planned only if it is clearly faster than encoding everything', () => {
  const [cut] = cutsFrom(21_960)
  const full = (seconds: number): Plan => ({
    ...FULL,
    passes: [{ seconds, frames_per_second: 25, width: 1920, height: 1080 }],
  })
  const copiedIn = (seconds: number, video: { width: number; height: number }) => {
    const probe = { ...PROBE, video: { ...PROBE.video, ...video } }
    const copy = planSmartCuts(probe, [cut], videoEdit(probe, {}), full(seconds))
    return preferCopy(probe, copy, full(seconds)) === copy
  }
  const [large, small] = [
    { width: 3840, height: 2160 },
    { width: 1920, height: 1080 },
  ]
  expect([copiedIn(8, small), copiedIn(8, large), copiedIn(80, large)]).toEqual([true, false, true])
})
