import { expect, test } from 'vitest'
import type { EncodeMode, Plan } from '../../shared/planning/operation.ts'
import type { Step } from '../../shared/planning/steps.ts'
import { weighFacts, weighFetched, weighPlan, weighSteps } from './weights.ts'

const text: Step = { kind: 'text', file: 'a.ass', content: '' }
const ffmpeg = (output_duration_seconds: number | null): Step => ({
  kind: 'ffmpeg',
  inputs: [],
  filter_graph: null,
  output: { file: 'a.mp4', options: [] },
  output_duration_seconds,
})

test.each([
  ['a text file before a video', [text, ffmpeg(8)], [0, 1]],
  ['two ffmpeg runs', [ffmpeg(30), ffmpeg(10)], [0.75, 0.25]],
  ['a still image', [text, ffmpeg(null)], [0.5, 0.5]],
  ['text files only', [text, text], [0.5, 0.5]],
  ['nothing', [], []],
] as const)('weighs steps: %s', (_name, steps, weights) => {
  expect(weighSteps(steps)).toEqual(weights)
})

const MB = 1024 ** 2

test.each([
  ['all of a large file', 'object', 2000 * MB, 2000 * MB, 1],
  ['half of a large file', 'object', 1000 * MB, 2000 * MB, 0.5],
  ['a small file, which downloads quickly', 'object', 0.5 * MB, 0.5 * MB, 0.01],
  ['a small file from an external server, which may be slow', 'url', 0.5 * MB, 0.5 * MB, 0.25],
  ['one minute of a file of unknown size', 'url', 120 * MB, null, 0.5],
  ['nothing', 'url', 0, 0, 0],
] as const)('weighs fetching: %s', (_name, kind, done_bytes, total_bytes, fraction) => {
  expect(weighFetched(kind, done_bytes, total_bytes)).toBeCloseTo(fraction, 5)
})

test('weighs the measuring of facts: an edit follows it, and link media is uploaded', () => {
  expect(weighFacts(['probe', 'silences'], true)).toBe(0)
  expect(weighFacts(['probe', 'loudness'], true)).toBe(0.5)
  expect(weighFacts(['link'], false)).toBe(0.8)
  expect(weighFacts(['link', 'transcript'], false)).toBe(0.95)
})

const plan = (encode_mode: EncodeMode | null, file: string, ...steps: Step[]): Plan => ({
  encode_mode,
  steps,
  outputs: [{ file }],
})
const hour = { bytes: 2000 * MB, missing_bytes: 2000 * MB, duration_seconds: 3600 }
const there = { ...hour, missing_bytes: 0 }
const image = { bytes: 20 * MB, missing_bytes: 0, duration_seconds: null }

test.each([
  ['copied', plan('remux', 'a.mp4', ffmpeg(3600)), hour, [41, 18, 41]],
  ['encoded', plan('encode', 'a.mp4', ffmpeg(3600)), hour, [10, 80, 10]],
  ['encoded and read by range requests', plan('encode', 'a.mp4', ffmpeg(3600)), there, [0, 89, 11]],
  ['of which one minute is copied', plan('remux', 'a.mp4', ffmpeg(60)), there, [0, 60, 40]],
  ['reduced to an image', plan(null, 'a.jpg', ffmpeg(null)), there, [0, 100, 0]],
  ['reduced to its audio', plan('remux', 'a.m4a', ffmpeg(3600)), hour, [66, 30, 4]],
  ['of which one minute becomes a GIF', plan(null, 'a.gif', ffmpeg(60)), there, [0, 92, 8]],
  ['without steps', plan('remux', 'a.mp4'), there, [0, 100, 0]],
  ['that is an image', plan(null, 'a.jpg', text), image, [0, 83, 17]],
])('weighs a file %s: fetching, steps and upload in percent', (_name, planned, input, percents) => {
  const { fetching, steps } = weighPlan(planned, input)
  const parts = [fetching, (1 - fetching) * steps, (1 - fetching) * (1 - steps)]
  expect(parts.map((part) => Math.round(part * 100))).toEqual(percents)
})
