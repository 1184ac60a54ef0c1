import { expect, test } from 'vitest'
import { estimateEncodeSeconds, TYPICAL_SOURCE } from './encode-seconds.ts'
import type { FfmpegStep } from './steps.ts'

const FULL = { width: 1920, height: 1080, frames_per_second: 30 }
const SMALL = { width: 640, height: 360, frames_per_second: 30 }
const pass = (seconds: number, frames = FULL) => ({ seconds, ...frames })
const step = (...options: string[]): FfmpegStep => ({
  kind: 'ffmpeg',
  inputs: [{ file: 'source', options: [] }],
  filter_graph: null,
  output_duration_seconds: null,
  output: { file: 'result.mp4', options },
})

test('without frames to encode there is no time', () => {
  expect(estimateEncodeSeconds({ steps: [step('-c', 'copy')] })).toBe(0)
})

test('the input is decoded at its own size, whatever the size of the output', () => {
  const of = (source: typeof FULL) => estimateEncodeSeconds({ steps: [], passes: [pass(60, SMALL)] }, source)
  expect(of(FULL)).toBeGreaterThan(2 * of(SMALL))
  expect(of(TYPICAL_SOURCE)).toBe(of(FULL))
})

test('an operation that draws takes less time for each frame than the encoder', () => {
  const encoded = estimateEncodeSeconds({ steps: [], passes: [pass(60)] })
  const drawn = estimateEncodeSeconds({ steps: [], passes: [pass(60), pass(60)] })
  expect(drawn).toBeGreaterThan(encoded)
  expect(drawn).toBeLessThan(1.5 * encoded)
})

test.each([
  ['a fast preset', ['-c:v', 'libx264', '-preset', 'ultrafast'], 0.4, 0.9],
  ['a slow preset', ['-c:v', 'libx264', '-preset', 'slow'], 1.8, 2.7],
  ['H.265', ['-c:v', 'libx265', '-preset', 'fast'], 3, 4.5],
  ['AV1', ['-c:v', 'libsvtav1', '-preset', '8'], 2.5, 4.5],
  ['VP9', ['-c:v', 'libvpx-vp9'], 4, 6.4],
])('%s changes the time of the encoder', (_name, options, least, most) => {
  const passes = [pass(60)]
  const factor =
    estimateEncodeSeconds({ steps: [step(...options)], passes }) /
    estimateEncodeSeconds({ steps: [], passes })
  expect(factor).toBeGreaterThan(least)
  expect(factor).toBeLessThan(most)
})
