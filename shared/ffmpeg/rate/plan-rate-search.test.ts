import { expect, test } from 'vitest'
import { findOperation } from '../../operations/index.ts'
import { compress } from '../../operations/video/compress.ts'
import { estimateEncodeSeconds } from '../../planning/encode-seconds.ts'
import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'
import type { Operation, Plan } from '../../planning/operation.ts'
import { planPipeline, type Stage } from '../../planning/pipeline.ts'
import { sampleFacts, sampleProbe } from '../../planning/sample-facts.ts'
import type { Step } from '../../planning/steps.ts'

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
  expect(search?.inputs.map(({ options }) => options.at(-1))).toEqual(['10', '30', '50'])
  expect(search?.inputs[0]).toMatchObject({ file: 'source' })
  expect(search?.filter_graph).toMatch(
    /^\[0:0\].*trim=end_frame=\d+.*;\[1:0\].*concat=n=3\[joined\];\[joined\].*\[samples\]$/,
  )
})

test.each([10, 30, 60, 600, 7200])(
  'a search in %d seconds is estimated at an eighth of the time at most',
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

test('a search in repeated frames, which encode faster, takes fewer samples', () => {
  const framesOf = (size_bytes: number) => {
    const { frames = 0, probes_max = 0 } = searchOf(sampleProbe({ ...MINUTE, size_bytes })) ?? {}
    return frames * probes_max
  }
  expect(framesOf(500_000)).toBeGreaterThan(0)
  expect(framesOf(500_000)).toBeLessThan(0.6 * framesOf(50_000_000))
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

/** Plans a pipeline on a minute of video, and returns its search. */
function searchIn(stages: readonly [string, Record<string, unknown>][], video: Partial<VideoTrack> = {}) {
  const parsed = stages.map(([key, params]): Stage => {
    const operation = findOperation('video', key) as Operation
    return { operation, params: operation.parameters.parse(params) }
  })
  const assets = { '0-logo_url': { file: 'logo', width: 200, height: 100, duration_seconds: 0 } }
  const facts = sampleFacts({ probe: sampleProbe(MINUTE, video), assets })
  const plan = planPipeline(parsed as [Stage, ...Stage[]], facts)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan.steps.map((step) => (step.kind === 'ffmpeg' ? step.rate_search : undefined)).find(Boolean)
}

const SMALL = { width: 640, height: 360 }

test('an operation without a quality of its own searches near its usual rate factor', () => {
  const search = searchIn([['resize', { width: 640 }]])
  expect(search).toMatchObject({ lowest: 22, compared: { width: 160, height: 90 } })
  expect(search?.encoder.join(' ')).toContain('-preset veryfast')
  // Samples get what the operation draws, once.
  expect(search?.filter_graph).toMatch(
    /concat=n=\d\[joined\];\[joined\]scale=640:360,setsar=1\[v_1\];.*\[samples\]$/,
  )
})

test.each<[string, [string, Record<string, unknown>][], Partial<VideoTrack>, number | undefined]>([
  ['a conversion', [['convert', { format: 'mp4', vcodec: 'libx264' }]], { codec: 'vp8' }, 22],
  ['a copy', [['convert', { format: 'mkv' }]], {}, undefined],
  ['H.265', [['convert', { format: 'mp4', vcodec: 'libx265' }]], {}, 24],
  ['VP9', [['convert', { format: 'webm' }]], {}, 31],
  [
    'a container of another codec',
    [
      ['compress', {}],
      ['convert', { format: 'webm' }],
    ],
    {},
    31,
  ],
  [
    'several operations',
    [
      ['rotate', { mode: '90cw' }],
      ['resize', { width: 360 }],
    ],
    {},
    22,
  ],
  [
    'a level in a pipeline',
    [
      ['compress', {}],
      ['resize', SMALL],
    ],
    {},
    29,
  ],
  [
    'a chosen factor in a pipeline',
    [
      ['compress', { crf: 30 }],
      ['resize', SMALL],
    ],
    {},
    undefined,
  ],
  ['burned subtitles', [['subtitles', { subtitles_text: '00:00:01,000 --> 00:00:02,000\nHi' }]], {}, 22],
  [
    'a cut in a pipeline',
    [
      ['trim', { start: 1 }],
      ['resize', SMALL],
    ],
    {},
    20,
  ],
  ['a circle', [['circle', {}]], {}, 24],
  ['another speed', [['speed', { factor: 2 }]], {}, 22],
  ['another frame rate', [['fps', { fps: 60 }]], {}, 22],
  [
    'frames that come in bursts',
    [['fps', { fps: 30 }]],
    { variable_frame_rate: true, frames_per_second: 12 },
    undefined,
  ],
  ['a short cut', [['trim', { start: 20, duration: 2 }]], {}, undefined],
])('%s', (_, stages, video, lowest) => {
  expect(searchIn(stages, video)?.lowest).toBe(lowest)
})

test.each<[string, number, Record<string, unknown>]>([
  ['resize', 30, { width: 1280 }],
  ['resize', 600, { width: 1280 }],
  ['resize', 7200, { width: 1280 }],
  ['speed', 600, { factor: 10 }],
  ['speed', 600, { factor: 0.5 }],
  ['fps', 600, { fps: 60 }],
  ['trim', 600, { start: 5, duration: 20 }],
  ['trim', 600, { start: 5, duration: 300 }],
  ['circle', 600, {}],
])('a search by %s in %d seconds is estimated at an eighth of the time at most', (key, seconds, params) => {
  const { parameters, plan } = findOperation('video', key) as Operation
  const facts = sampleFacts({ probe: sampleProbe({ duration_seconds: seconds }) })
  const planned = plan({ params: parameters.parse(params), facts })
  if ('refused' in planned) throw new Error(planned.refused.message.en)
  const steps = planned.steps.map((step) => ({ ...step, rate_search: undefined }) as Step)
  const ratio = estimateEncodeSeconds(planned) / estimateEncodeSeconds({ ...planned, steps })
  expect(ratio).toBeGreaterThan(1)
  expect(ratio).toBeLessThan(1.125)
})

test('samples of a cut come from its range', () => {
  const search = searchIn([
    ['trim', { start: 10, duration: 20 }],
    ['resize', SMALL],
  ])
  const starts = search?.inputs.map(({ options }) => Number(options.at(-1))) ?? []
  expect(starts.length).toBeGreaterThan(0)
  for (const start of starts) {
    expect(start).toBeGreaterThan(10)
    expect(start).toBeLessThan(30)
    expect(search?.filter_graph).toContain(`,trim=start=${10 - start}:end=${30 - start},`)
  }
})

test('samples of a faster result decode more frames than they encode', () => {
  const [usual, faster] = [1, 4].map((factor) => searchIn([['speed', { factor }]], { frames_per_second: 30 }))
  expect(faster?.decoded_frames).toBeGreaterThan(3 * (faster?.frames ?? 0))
  expect(usual?.decoded_frames).toBe(usual?.frames)
})

test('a logo is read after the samples', () => {
  const search = searchIn([['watermark', { logo_url: 'https://example.com/logo.png' }]])
  const samples = search?.inputs.filter(({ file }) => file === 'source').length ?? 0
  expect(search?.inputs).toHaveLength(samples + 1)
  expect(search?.filter_graph).toContain(`[${samples}:v]format=rgba`)
})
