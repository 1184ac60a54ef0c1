import { expect, test } from 'vitest'
import { bytesAtVmaf } from './equal-bytes.ts'

const LEVELS = {
  light: { bytes: 400, vmaf_mean: 96 },
  medium: { bytes: 200, vmaf_mean: 92 },
  strong: { bytes: 100, vmaf_mean: 84 },
}

test.each([
  ['is that of a level at its own VMAF', 92, 200],
  ['lies between two levels', 94, 200 * Math.SQRT2],
  ['lies between the lower levels', 88, 100 * Math.SQRT2],
  ['continues beyond the last level', 76, 50],
])('the size of a clip %s', (_, vmaf, bytes) => {
  expect(bytesAtVmaf(LEVELS, vmaf)).toBeCloseTo(bytes)
})
