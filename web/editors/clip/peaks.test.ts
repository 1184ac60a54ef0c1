import { expect, test } from 'vitest'
import { addPeaks } from './peaks.ts'

test('each part has its loudest sample, and samples beyond the parts are ignored', () => {
  const peaks = Float32Array.of(0, 0.75, 0)
  addPeaks(peaks, Float32Array.of(1, 0.25, -0.5, 0.5, 0.25, -2, 0, 1), -0.5, 0.5)
  expect([...peaks]).toEqual([0.5, 0.75, 1])
})
