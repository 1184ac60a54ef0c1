import { expect, test } from 'vitest'
import { OPERATIONS } from '../operations/index.ts'
import { estimatePlanSeconds } from './lanes.ts'
import type { Operation, Plan } from './operation.ts'
import { planPipeline, type Stage } from './pipeline.ts'
import { sampleFacts, sampleProbe } from './sample-facts.ts'
import { estimateJobSeconds, imageSeconds } from './typical-times.ts'
import { validateParams } from './validate.ts'

function stageOf(address: string, params: Record<string, unknown> = {}): Stage {
  const operation = OPERATIONS.find(({ service, key }) => `${service}/${key}` === address) as Operation
  const checked = validateParams(operation, params)
  if ('refused' in checked) throw new Error(checked.refused.message.en)
  return { operation, params: checked.params }
}

function planOf(stage: Stage, duration_seconds: number, video = {}): Plan {
  const plan = planPipeline([stage], sampleFacts({ probe: sampleProbe({ duration_seconds }, video) }))
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan
}

function secondsOf(stage: Stage, duration_seconds: number, video = {}): number {
  const plan = planOf(stage, duration_seconds, video)
  return estimateJobSeconds([stage], plan, { duration_seconds, megapixels: null }, null)
}

test('smaller frames take less time to encode', () => {
  const compress = stageOf('video/compress')
  const small = secondsOf(compress, 60, { width: 640, height: 360 })
  expect(secondsOf(compress, 60)).toBeGreaterThan(3 * small)
})

test('an encode takes as long as lanes expect', () => {
  const compress = stageOf('video/compress')
  const expected = estimatePlanSeconds(planOf(compress, 60), null)
  expect(secondsOf(compress, 60) / expected).toBeCloseTo(1, 1)
})

test('a copy takes little time, however large the frames are', () => {
  expect(secondsOf(stageOf('video/mute'), 3600, { width: 3840, height: 2160 })).toBeLessThan(60)
})

// CPU seconds of real jobs: a minute of video with a tone, and a photo of 12 megapixels.
test('filtering audio takes about as long as measured', () => {
  const seconds = secondsOf(stageOf('video/enhance_voice'), 60)
  expect(seconds / 3.4).toBeGreaterThan(0.5)
  expect(seconds / 3.4).toBeLessThan(2)
})

test.each([
  ['resize', {}, 0.1],
  ['compress', {}, 0.3],
  ['crop', {}, 0.24],
  ['circle', {}, 0.15],
  ['transform', {}, 0.43],
  ['enhance', {}, 0.89],
  ['social', {}, 0.07],
  ['convert', { format: 'webp' }, 1.1],
  ['convert', { format: 'avif' }, 2.9],
])('image/%s %j takes about as long as measured', (key, params, measured_seconds) => {
  const operation = OPERATIONS.find((one) => one.service === 'image' && one.key === key) as Operation
  const seconds = imageSeconds([{ operation, params }], 12)
  expect(seconds / measured_seconds).toBeGreaterThan(0.5)
  expect(seconds / measured_seconds).toBeLessThan(2)
})

test('speech recognition takes time for the whole audio', () => {
  const [short, long] = [60, 600].map((seconds) => secondsOf(stageOf('video/transcribe'), seconds))
  expect(long).toBeGreaterThan(5 * (short ?? 0))
})

test('every job takes some time, and none takes more than a day', () => {
  for (const operation of OPERATIONS.filter(({ service }) => service === 'image')) {
    const stages = [{ operation, params: {} }]
    expect(imageSeconds(stages, 0)).toBeGreaterThan(0)
    expect(imageSeconds(stages, 1e9)).toBe(86_400)
  }
})
