import { expect, test } from 'vitest'
import type { Step } from '../../shared/operations/steps.ts'
import { weighSteps } from './weights.ts'

const text: Step = { kind: 'text', file: 'a.ass', content: '' }
const ffmpeg = (output_duration_seconds: number | null): Step => ({
  kind: 'ffmpeg',
  inputs: [],
  filter_graph: null,
  output: { file: 'a.mp4', options: [] },
  output_duration_seconds,
})

test.each([
  ['a text before a video', [text, ffmpeg(8)], [0, 1]],
  ['two runs', [ffmpeg(30), ffmpeg(10)], [0.75, 0.25]],
  ['a still picture', [text, ffmpeg(null)], [0.5, 0.5]],
  ['texts alone', [text, text], [0.5, 0.5]],
  ['nothing', [], []],
] as const)('%s', (_name, steps, weights) => {
  expect(weighSteps(steps)).toEqual(weights)
})
