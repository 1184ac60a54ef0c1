import { describe, expect, test } from 'vitest'
import { findOperation, OPERATIONS } from '../operations/index.ts'
import {
  chooseLane,
  estimateFactSeconds,
  estimatePlanSeconds,
  type KnownWork,
  QUICK_OPERATIONS,
  QUICK_SECONDS_MAX,
} from './lanes.ts'
import type { Plan } from './operation.ts'
import type { EmojiStep } from './steps.ts'

const MEGABYTE = 1024 * 1024
const video = (operation_key: string, more: Partial<KnownWork> = {}): KnownWork => ({
  service_slug: 'video',
  operation_key,
  pipeline: [],
  source: { kind: 'object' },
  ...more,
})
const pass = (seconds: number, width = 1920, height = 1080) => ({
  ...{ seconds, frames_per_second: 30, width, height },
})
const plan = (encode_mode: Plan['encode_mode'], passes: Plan['passes'] = []) =>
  ({ encode_mode, passes, steps: [], outputs: [{ file: 'result.mp4' }] }) satisfies Plan

/** Copies a cut of ten minutes, and encodes some of its seconds. */
function copyPlan(encoded_seconds: number): Plan {
  const cut = { timescale: 30, at: 0, zero: 0, first: 0, copy: 300, copy_end: null, tail: null, length: null }
  const steps: Plan['steps'] = [
    {
      ...{ kind: 'ffmpeg', inputs: [], filter_graph: null, output_duration_seconds: encoded_seconds },
      output: { file: 'encoded.mp4', options: ['-c:v', 'libx265', '-preset', 'fast'] },
    },
    { kind: 'check_cut', file: 'result.mp4', track: 0, cuts: [cut], reads_seconds: 600 },
  ]
  return { ...plan('encode', [pass(600)]), steps }
}

/** Returns a step that shows emoji in turn on frames of 1080p. */
const emojiStep = (count: number): EmojiStep => ({
  ...{ kind: 'emoji', script: '', size: { width: 1920, height: 1080 }, output: { file: 'text.mkv' } },
  emoji: Array(count).fill('😀'),
  frames: Array.from({ length: 2 * count }, (_, index) => ({
    hundredths: 1,
    emoji: index % 2 === 0 ? [index / 2] : [],
  })),
})

describe('the lane at dispatch', () => {
  test.each([
    ['an image', { ...video('resize'), service_slug: 'image' as const }, 'image'],
    ['a link', video('download_video', { source: { kind: 'link' } }), 'link'],
    ['a thumbnail of a large file', video('thumbnail', { input_bytes: 5000 * MEGABYTE }), 'quick'],
    ['a copy of a large file', video('faststart', { input_bytes: 5000 * MEGABYTE }), 'quick'],
    ['an encode of a small file', video('compress', { input_bytes: MEGABYTE }), 'quick'],
    ['an encode of a large file', video('compress', { input_bytes: 64 * MEGABYTE }), 'long'],
    ['an encode of a file of unknown size', video('compress'), 'quick'],
    [
      'a pipeline that encodes a large file',
      video('trim', { pipeline: [{ operation_key: 'compress' }], input_bytes: 500 * MEGABYTE }),
      'long',
    ],
  ])('of %s', (_name, work, lane) => {
    expect(chooseLane(work)).toBe(lane)
  })

  test('names only operations that exist', () => {
    expect(QUICK_OPERATIONS.filter((key) => findOperation('video', key) === undefined)).toEqual([])
  })

  test('is defined for every operation', () => {
    for (const { service, key } of OPERATIONS)
      expect(chooseLane({ ...video(key), service_slug: service })).toMatch(/image|quick/)
  })
})

describe('the estimate after probing', () => {
  test.each([
    ['a frame', plan(null), true],
    ['a copy of two hours', plan('remux'), true],
    ['a short encode', plan('encode', [pass(20)]), true],
    ['a minute of a small video', plan('encode', [pass(60, 640, 360)]), true],
    ['a minute of 1080p', plan('encode', [pass(60)]), false],
    ['a precise cut that encodes a few frames', copyPlan(2), true],
    ['a precise cut that encodes half a minute', copyPlan(30), false],
    ['a frame with a few emoji', { ...plan(null), steps: [emojiStep(10)] }, true],
    ['a short encode with 100 emoji', { ...plan('encode', [pass(5)]), steps: [emojiStep(100)] }, true],
    ['a short encode with 1000 emoji', { ...plan('encode', [pass(5)]), steps: [emojiStep(1000)] }, false],
    ['two hours of a tiny video', plan('encode', [pass(7200, 128, 72)]), false],
  ])('of %s', (_name, planned, is_quick) => {
    expect(estimatePlanSeconds(planned, null) <= QUICK_SECONDS_MAX).toBe(is_quick)
  })

  test('of two minutes of a small video counts its own frames', () => {
    const frames = pass(120, 320, 180)
    expect(estimatePlanSeconds(plan('encode', [frames]), frames)).toBeLessThan(QUICK_SECONDS_MAX)
  })

  test.each([
    [['probe'], 7200, true],
    [['probe', 'loudness'], 1800, true],
    [['probe', 'transcript'], 20, true],
    [['probe', 'transcript'], 600, false],
  ])('of the facts %j of %i seconds', (facts, seconds, is_quick) => {
    expect(estimateFactSeconds(facts, seconds) <= QUICK_SECONDS_MAX).toBe(is_quick)
  })
})
