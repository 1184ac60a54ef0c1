import { expect, test } from 'vitest'
import { peaksOf, waveformPath } from './waveform.ts'

test('each part has its loudest sample', () => {
  expect(peaksOf(Float32Array.of(0, -0.5, 0.25, 0, 1, 0), 3)).toEqual([0.5, 0.25, 1])
  expect(peaksOf(Float32Array.of(0.5), 3)).toEqual([0.5, 0.5, 0.5])
})

test('silence is a thin line', () => {
  expect(waveformPath([0, 1])).toBe('M0 -0.02h.6V0.02h-.6zM1 -1.00h.6V1.00h-.6z')
})
