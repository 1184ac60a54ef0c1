import { describe, expect, test } from 'vitest'
import { findOperation } from '../operations/index.ts'
import type { MediaProbe } from './facts.ts'
import { planPipeline, type Stage } from './pipeline.ts'
import { sampleProbe } from './sample-facts.ts'
import { validateParams } from './validate.ts'
import { framePass, refuseWork } from './work.ts'

const MINUTE = 60
const FREE = { max_input_seconds: 30 * MINUTE, tier: 'free' }
const LONG = 'The result would be'
const FRAMES = 'The result would have'
const TOGETHER = 'Together, the operations would process the equivalent of'

const slow = stage('speed', { factor: 0.1 })
const mirror = stage('flip')

function stage(key: string, params: Record<string, unknown> = {}): Stage {
  const operation = findOperation('video', key)
  if (operation === undefined) throw new Error(`there is no ${key}`)
  const valid = validateParams(operation, params)
  if ('refused' in valid) throw new Error(valid.refused.message.en)
  return { operation, params: valid.params }
}

function clip(seconds: number, video: Partial<MediaProbe['video']> = {}): MediaProbe {
  return sampleProbe({ duration_seconds: seconds }, video)
}

/** Returns the refusal of these operations on this video, or null. */
function refusalOf(probe: MediaProbe, stages: readonly Stage[], ceiling = FREE): string | null {
  const [first, ...others] = stages
  if (first === undefined) throw new Error('there is no operation')
  const plan = planPipeline([first, ...others], { probe, assets: {}, lead_seconds: 0 } as never)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return refuseWork(plan, framePass(probe), ceiling)?.refused.message.en ?? null
}

describe('limits the output of a plan', () => {
  test.each<[string, MediaProbe, Stage[], string | null]>([
    ['one slow motion within the ceiling', clip(180), [slow], null],
    ['one slow motion beyond the ceiling', clip(182), [slow], LONG],
    ['four slow motions of two seconds', clip(2), [slow, slow, slow, slow], LONG],
    ['slow motion, trimmed afterwards', clip(200), [slow, stage('trim', { duration: 2 })], LONG],
    ['slow motion of a trimmed clip', clip(200), [stage('trim', { duration: 2 }), slow], null],
    ['slow motion before a single frame', clip(200), [slow, stage('thumbnail')], LONG],
    ['slow motion after a speedup', clip(1800), [stage('speed', { factor: 10 }), slow], null],
    ['a copy at the ceiling', clip(1800.4), [stage('mute')], null],
    ['an encode at the ceiling', clip(1800, { frames_per_second: 60 }), [stage('compress')], null],
    ['twice the frame rate at the ceiling', clip(1800), [stage('fps', { fps: 120 })], FRAMES],
    ['twice the frame rate of half as much', clip(900), [stage('fps', { fps: 120 })], null],
    [
      'a high frame rate between other operations',
      clip(1800),
      [stage('fps', { fps: 120 }), stage('fps')],
      FRAMES,
    ],
    [
      'fast frames of a small size',
      clip(1800, { width: 640, height: 360 }),
      [stage('fps', { fps: 120 })],
      null,
    ],
    [
      'an enlargement of small, fast frames',
      clip(1800, { width: 640, height: 360, frames_per_second: 120 }),
      [stage('resize', { width: 1920 })],
      FRAMES,
    ],
    ['an input with a high frame rate', clip(1800, { frames_per_second: 120 }), [stage('compress')], null],
    [
      'an input that declares an extreme frame rate',
      clip(1800, { frames_per_second: 90_000 }),
      [stage('compress')],
      null,
    ],
    [
      'a wide input, unchanged',
      clip(1800, { width: 4096, frames_per_second: 60 }),
      [stage('compress')],
      null,
    ],
    [
      'a 4K input, unchanged',
      clip(1800, { width: 3840, height: 2160, frames_per_second: 60 }),
      [mirror],
      null,
    ],
    ['five mirrors at the ceiling', clip(1800, { frames_per_second: 60 }), Array(5).fill(mirror), null],
    ['six mirrors at the ceiling', clip(1800, { frames_per_second: 60 }), Array(6).fill(mirror), TOGETHER],
    ['twenty mirrors of a short clip', clip(300, { frames_per_second: 60 }), Array(20).fill(mirror), null],
    ['a large GIF', clip(1800), [stage('gif', { duration: 60, fps: 30, width: 1920 })], null],
  ])('%s', (_name, probe, stages, refusal) => {
    const message = refusalOf(probe, stages)
    if (refusal === null) expect(message).toBeNull()
    else expect(message).toContain(refusal)
  })

  test('names length, limit and tier', () => {
    expect(refusalOf(clip(2), [slow, slow, slow, slow])).toBe(
      'The result would be 5 h 33 min 20 s long, but the free tier allows up to 30 min. Trim the video first, or slow it down less',
    )
    expect(refusalOf(clip(60.5), [slow], { max_input_seconds: 600, tier: 'anonymous' })).toContain(
      'would be 10 min 5 s long, but the anonymous tier allows up to 10 min.',
    )
  })

  test('names the frames, their size and the limit', () => {
    expect(refusalOf(clip(1800), [stage('fps', { fps: 120 })])).toContain(
      'would have 216000 frames of 1920 x 1080 pixels, but the free tier allows up to 108000 of that size.',
    )
  })
})
