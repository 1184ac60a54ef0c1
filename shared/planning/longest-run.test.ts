import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IMAGE_PIXELS_MAX } from '../images/formats.ts'
import { exampleParams } from '../operations/examples.ts'
import { OPERATIONS } from '../operations/index.ts'
import type { MediaProbe } from './facts.ts'
import { findLongRun, RUN_SECONDS_MAX, SMALLEST_WORKER } from './longest-run.ts'
import type { Operation } from './operation.ts'
import { planPipeline, type Stage } from './pipeline.ts'
import { sampleFacts, sampleLink, sampleProbe } from './sample-facts.ts'
import { estimateVideoSeconds, imageSeconds } from './typical-times.ts'
import { validateParams } from './validate.ts'
import { decodedFrames, FULL_PASSES_MAX, framePass, refuseWork } from './work.ts'

const MINUTE = 60
const TIERS = { anonymous: 10 * MINUTE, free: 30 * MINUTE, paid: 180 * MINUTE } as const
type Tier = keyof typeof TIERS
const ASSET = { file: 'a', width: 64, height: 64, duration_seconds: 60, channels: 2 }
const RATES = [10, 24, 25, 30, 50, 60, 120]
const SIZES = [
  [640, 360],
  [1280, 720],
  [1920, 1080],
  [1080, 1920],
  [3840, 2160],
] as const

/** Every operation on a video or a link, with each of its presets; and the slowest encodes. */
const STAGES: Stage[] = [
  stage('compress', { codec: 'hevc', preset: 'slow' }),
  stage('compress', { codec: 'av1', preset: 'slow' }),
  ...OPERATIONS.filter(({ service }) => service === 'video').flatMap((operation) =>
    [exampleParams(operation), ...operation.presets.map((preset) => preset.params)].flatMap((given) => {
      const checked = validateParams(operation, { ...exampleParams(operation), ...given })
      return 'refused' in checked ? [] : [{ operation, params: checked.params }]
    }),
  ),
]

function stage(key: string, params: Record<string, unknown> = {}): Stage {
  const operation = OPERATIONS.find(
    ({ service, key: own }) => service === 'video' && own === key,
  ) as Operation
  const checked = validateParams(operation, params)
  if ('refused' in checked) throw new Error(checked.refused.message.en)
  return { operation, params: checked.params }
}

const clip = (
  duration_seconds: number,
  [width, height]: readonly [number, number],
  frames_per_second: number,
) => sampleProbe({ duration_seconds }, { width, height, frames_per_second })

/** Estimates the CPU time of a job that the tier allows; null if its plan is refused. */
function cpuSeconds(stages: readonly Stage[], probe: MediaProbe, tier: Tier): number | null {
  const [first, ...others] = stages
  if (first === undefined) throw new Error('there is no operation')
  const assets = Object.fromEntries(stages.map((_, index) => [`${index}-tracks.0.url`, ASSET]))
  const plan = planPipeline(
    [first, ...others],
    sampleFacts({ probe, link: { ...sampleLink(), media: probe }, assets }),
  )
  if ('refused' in plan) return null
  if (refuseWork(plan, framePass(probe), { max_input_seconds: TIERS[tier], tier }) !== null) return null
  return estimateVideoSeconds(stages, plan, probe.duration_seconds, decodedFrames(probe.video))
}

describe('limits agree', () => {
  const tiers = constantFrom('anonymous', 'free', 'paid')
  const minutes = integer({ min: 1, max: 180 })

  test('every job that a tier allows ends in time on the smallest worker, or is refused before it starts', () => {
    const anyJob = [
      tiers,
      minutes,
      constantFrom(...SIZES),
      constantFrom(...RATES),
      constantFrom(...STAGES),
    ] as const
    assert(
      property(
        ...anyJob,
        constantFrom(0, 1, FULL_PASSES_MAX - 1),
        (tier, length, size, rate, last, mirrors) => {
          const seconds = Math.min(TIERS[tier], length * MINUTE)
          const stages = [...Array(mirrors).fill(stage('flip')), last]
          const cpu_seconds = cpuSeconds(stages, clip(seconds, size, rate), tier)
          if (cpu_seconds === null) return
          const refused = findLongRun(cpu_seconds)
          if (refused === null) expect(cpu_seconds / SMALLEST_WORKER.cores).toBeLessThan(RUN_SECONDS_MAX)
          else expect(refused.seconds).toBeGreaterThan(refused.limit_seconds)
          // At usual rates, the lower tiers cannot make a job too long, whatever it does.
          if (tier !== 'paid' && rate <= 60) expect(refused).toBeNull()
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each([
    ['1080p with 30 frames per second', clip(TIERS.paid, SIZES[2], 30), ['WebM', 'H.265']],
    ['1080p with 60 frames per second', clip(TIERS.paid, SIZES[2], 60), ['WebM', 'H.265']],
    ['4K with 30 frames per second', clip(TIERS.paid, SIZES[4], 30), ['WebM', 'H.265']],
  ])('180 minutes of %s run with every preset but those of slow codecs', (_name, probe, slow) => {
    const refused = new Set<string>()
    for (const operation of OPERATIONS.filter(
      ({ service, accepts }) => service === 'video' && accepts[0] === 'video',
    ))
      for (const { label, params } of operation.presets) {
        const cpu_seconds = cpuSeconds([stage(operation.key, params)], probe, 'paid')
        if (cpu_seconds !== null && findLongRun(cpu_seconds) !== null)
          refused.add(label.split(/[ :]/)[0] ?? label)
      }
    expect([...refused]).toEqual(slow)
  })

  // Contract: Limits, Longest run.
  test.each([
    ['1080p with 30 frames per second', SIZES[2], 30, [180, 170, 130, 140, 180]],
    ['1080p with 60 frames per second', SIZES[2], 60, [180, 85, 65, 70, 101]],
    ['4K with 30 frames per second', SIZES[4], 30, [180, 143, 113, 121, 164]],
  ] as const)('%s is encoded up to the lengths that the contract names', (_name, size, rate, lengths) => {
    const encodes = [
      stage('compress'),
      stage('convert', { format: 'mp4', vcodec: 'libx265' }),
      stage('convert', { format: 'webm' }),
      stage('compress', { codec: 'hevc' }),
      stage('compress', { codec: 'av1' }),
    ]
    const isAllowed = (encode: Stage, length: number) => {
      const cpu_seconds = cpuSeconds([encode], clip(length * MINUTE, size, rate), 'paid')
      return cpu_seconds !== null && findLongRun(cpu_seconds) === null
    }
    const longest = (encode: Stage) => {
      let length = 0
      while (isAllowed(encode, length + 1)) length++
      return length
    }
    expect(encodes.map(longest)).toEqual(lengths)
  })

  test('the largest image ends within its own limit', () => {
    for (const operation of OPERATIONS.filter(({ service }) => service === 'image'))
      for (const format of ['jpeg', 'png', 'webp', 'avif'])
        expect(imageSeconds([{ operation, params: { format } }], IMAGE_PIXELS_MAX / 1e6)).toBeLessThan(120)
  })
})

test('a long run is reported with its time on the smallest worker', () => {
  expect(findLongRun(10, 60)).toBeNull()
  expect(findLongRun(1000, 60)).toEqual({ seconds: 875, limit_seconds: 60 })
})
