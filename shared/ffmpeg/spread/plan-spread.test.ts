import { describe, expect, test } from 'vitest'
import { findOperation } from '../../operations/index.ts'
import type { Facts, MediaProbe, VideoTrack } from '../../planning/facts.ts'
import type { Plan } from '../../planning/operation.ts'
import { planPipeline } from '../../planning/pipeline.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { segmentStep } from './segment-step.ts'

const TIMED: Partial<VideoTrack> = { timescale: 12_800 }

function planOf(probe: MediaProbe, ...keys: [string, Record<string, unknown>][]): Plan {
  const stages = keys.map(([key, params]) => {
    const operation = findOperation('video', key)
    if (operation === undefined) throw new Error(`there is no video/${key}`)
    const valid = validateParams(operation, params)
    if ('refused' in valid) throw new Error(valid.refused.message.en)
    return { operation, params: valid.params }
  })
  const [first, ...others] = stages
  if (first === undefined) throw new Error('there is no operation')
  const plan = planPipeline([first, ...others], { probe, assets: {} } as unknown as Facts)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan
}

describe('an encode can be shared', () => {
  test.each<[string, Record<string, unknown>]>([
    ['compress', {}],
    ['resize', { width: 640 }],
    ['convert', { vcodec: 'libx264', format: 'mov' }],
    ['rotate', {}],
    ['flip', {}],
    ['social', {}],
    ['blur_bg', {}],
  ])('of %s', (key, params) => {
    const codec = key === 'convert' ? 'hevc' : 'h264'
    expect(planOf(sampleProbe({}, { ...TIMED, codec }), [key, params]).spread).toBeDefined()
  })

  test('of a pipeline of such operations', () => {
    const plan = planOf(sampleProbe({}, TIMED), ['rotate', {}], ['resize', { width: 640 }])
    expect(plan.spread?.audio?.output.file).toBe('audio.mp4')
  })
})

describe('an encode stays whole', () => {
  test.each<[string, Record<string, unknown>]>([
    ['speed', { factor: 2 }],
    ['fps', { fps: 30 }],
    ['circle', {}],
    ['watermark', { text: 'Hello' }],
    ['trim', { start: 1, duration: 5 }],
    ['mute', {}],
    ['convert', { format: 'webm' }],
    ['convert', { vcodec: 'libx265' }],
  ])('of %s with %j', (key, params) => {
    expect(planOf(sampleProbe({}, TIMED), [key, params]).spread).toBeUndefined()
  })

  test('if an operation after it is planned separately', () => {
    const plan = planOf(sampleProbe({}, TIMED), ['resize', { width: 640 }], ['thumbnail', {}])
    expect(plan.spread).toBeUndefined()
  })

  test.each<[string, Partial<MediaProbe>, Partial<VideoTrack>]>([
    ['has a variable rate', {}, { variable_frame_rate: true }],
    ['is a slide show', {}, { frames_per_second: 2 }],
    ['is interlaced', {}, { interlaced: true }],
    ['is truncated', { missing_seconds: 3 }, {}],
    ['hides its first frames', { hides_start: true }, {}],
    ['hides its last frames', { hides_end: true }, {}],
    ['restarts its clock', { clock_restarts: true }, {}],
    ['has no index', { container: 'mpegts' }, {}],
    ['stores no display times', {}, { lacks_display_times: true }],
    ['starts halfway between two frames', {}, { start_seconds: 0.06 }],
    ['is coded otherwise', {}, { codec: 'mpeg4' }],
    ['has unknown timestamp units', {}, { timescale: undefined as never }],
  ])('of a video that %s', (_what, changed, video) => {
    expect(planOf(sampleProbe(changed, { ...TIMED, ...video }), ['compress', {}]).spread).toBeUndefined()
  })
})

test('a segment has the same filters and encoder, and bounds between two frames', () => {
  const plan = planOf(sampleProbe({}, TIMED), ['compress', {}])
  const [whole] = plan.steps
  if (plan.spread === undefined || whole?.kind !== 'ffmpeg') throw new Error('there is no encode')
  const { filter_graph, inputs, output } = segmentStep(plan.spread, { first: 50, end: 100 }, 'segment.mp4')
  const video = whole.filter_graph?.split(';').slice(0, 2).join(';') ?? ''
  expect(filter_graph).toBe(video.replace('[0:0]', '[0:0]trim=start=1.98:end=3.98,'))
  expect(inputs[0]?.options.slice(-3)).toEqual(['-noaccurate_seek', '-ss', '2.02'])
  expect(output.options.join(' ')).toMatch(/^-copyts -start_at_zero -map \[video\] -c:v libx264 /)
  expect(whole.output.options.join(' ')).toContain(plan.spread.video.output.options.join(' '))
})
