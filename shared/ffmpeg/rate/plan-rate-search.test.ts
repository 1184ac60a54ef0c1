import { expect, test } from 'vitest'
import { compress } from '../../operations/video/compress.ts'
import { estimateEncodeSeconds } from '../../planning/encode-seconds.ts'
import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'
import type { Plan } from '../../planning/operation.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'

const MINUTE = { duration_seconds: 60 }

function planOf(probe: MediaProbe, params = {}): Plan {
  const plan = compress.plan({ params: compress.parameters.parse(params), facts: { probe } })
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan
}

function searchOf(probe: MediaProbe, params = {}) {
  const [step] = planOf(probe, params).steps
  return step?.kind === 'ffmpeg' ? step.rate_search : undefined
}

test('samples a video in several places, and joins the samples', () => {
  const search = searchOf(sampleProbe(MINUTE))
  expect(search).toMatchObject({ loss_max: 0.0075, compared: { width: 480, height: 270 }, probes_max: 2 })
  expect(search?.inputs.map(({ options }) => options.at(-1))).toEqual(['15', '45'])
  expect(search?.inputs[0]).toMatchObject({ file: 'source' })
  expect(search?.filter_graph).toMatch(/^\[0:0\].*trim=end_frame=\d+.*;\[1:0\].*concat=n=2\[samples\]$/)
})

test.each([10, 30, 60, 600, 7200])(
  'a search in %d seconds takes an eighth of the time at most',
  (seconds) => {
    const plan = planOf(sampleProbe({ duration_seconds: seconds }))
    const fixed = {
      ...plan,
      steps: plan.steps.map((step) => (step.kind === 'ffmpeg' ? { ...step, rate_search: undefined } : step)),
    }
    const ratio = estimateEncodeSeconds(plan as Plan) / estimateEncodeSeconds(fixed as Plan)
    expect(ratio).toBeGreaterThan(1)
    expect(ratio).toBeLessThan(1.125)
  },
)

test('a search in a long video is bounded', () => {
  expect(searchOf(sampleProbe({ duration_seconds: 36_000 }))).toMatchObject({ frames: 320, probes_max: 2 })
})

test.each<[string, Partial<MediaProbe>, Partial<VideoTrack>]>([
  ['a short video', { duration_seconds: 2 }, {}],
  ['a video of one frame', { duration_seconds: 0.04 }, {}],
  ['an unknown frame rate', MINUTE, { frames_per_second: 0 }],
  ['a small video', MINUTE, { width: 128, height: 96 }],
  ['a container without an index', { ...MINUTE, container: 'mpegts' }, {}],
  ['timestamps that restart', { ...MINUTE, clock_restarts: true }, {}],
  ['a truncated file', { ...MINUTE, missing_seconds: 3 }, {}],
  ['bursts of frames', MINUTE, { variable_frame_rate: true, frames_per_second: 12 }],
  ['frames of 8K', MINUTE, { width: 7680, height: 4320 }],
])('%s is encoded with the rate factor of the level', (_, probe, video) => {
  expect(searchOf(sampleProbe(probe, video))).toBeUndefined()
})

test('a rate factor of the caller is kept', () => {
  expect(searchOf(sampleProbe(MINUTE), { crf: 28 })).toBeUndefined()
})

test('a phone video keeps its timestamps in the samples', () => {
  const search = searchOf(sampleProbe(MINUTE, { variable_frame_rate: true, frames_per_second: 29.7 }))
  expect(search?.encoder.join(' ')).toContain('-enc_time_base:v 1:90000')
})
