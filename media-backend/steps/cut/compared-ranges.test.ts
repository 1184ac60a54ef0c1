import { expect, test } from 'vitest'
import type { PlacedCut } from '../../../shared/planning/steps.ts'
import { rangesToCompare } from './compared-ranges.ts'

/** Ten seconds at ten frames per second, with a keyframe every two seconds. They are displayed at 300. */
const COPIED: PlacedCut = {
  ...{ timescale: 10, zero: 100, at: 300, first: 100, copy: 100, copy_end: { dts: 198, pts: 199 } },
  ...{ tail: null, length: 100 },
}
const PACKETS = Array.from({ length: 100 }, (_, at) => ({ pts: 300 + at, is_key: at % 20 === 0 }))
const NO_KEYS = { is_last: false, compares_keys: false }

test('compares all frames of a range of which nothing is copied', () => {
  const encoded = { ...COPIED, copy: 200, copy_end: { dts: 200, pts: 199 } }
  expect(rangesToCompare(encoded, PACKETS, NO_KEYS)).toEqual([{ from: 100, to: 200 }])
})

test('compares the frames on both sides of places where copies meet', () => {
  expect(rangesToCompare(COPIED, PACKETS, NO_KEYS)).toEqual([
    { from: 100, to: 110 },
    { from: 180, to: 200 },
  ])
  expect(rangesToCompare(COPIED, PACKETS, { ...NO_KEYS, is_last: true })).toEqual([{ from: 100, to: 110 }])
})

test('compares the frames around the copy of a cut with encoded ends', () => {
  const cut = { ...COPIED, copy: 120, copy_end: { dts: 190, pts: 191 }, tail: { start: 192, end: 200 } }
  expect(rangesToCompare(cut, PACKETS, { is_last: true, compares_keys: true })).toEqual([
    { from: 120, to: 192, only_keys: true },
    { from: 100, to: 130 },
    { from: 180, to: 200 },
  ])
  const short = { ...cut, copy: 170 }
  expect(rangesToCompare(short, PACKETS, NO_KEYS)).toEqual([{ from: 100, to: 200 }])
})
