import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exampleParams } from '../../../shared/operations/examples.ts'
import { findOperation, OPERATIONS } from '../../../shared/operations/index.ts'
import type { Operation, ServiceSlug } from '../../../shared/planning/operation.ts'
import { estimateJob, type GivenSize, MEASURED_JOBS_MIN, type ProcessingRate, sizeOf } from './estimate.ts'
import { readStages } from './pipeline.ts'

const TARIFF = { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 }
const UNKNOWN: GivenSize = { duration_seconds: null, megapixels: null }
const NOTHING_MEASURED = new Map()

function stagesOf(address: string, params: Record<string, unknown> = {}) {
  const [service, key = ''] = address.split('/')
  const operation = findOperation(service as ServiceSlug, key) as Operation
  const read = readStages(operation, params, OPERATIONS)
  if ('refused' in read) throw new Error(`${address}: ${read.refused.code}`)
  return read.stages
}

const seconds = (address: string, params: Record<string, unknown>, size: Partial<GivenSize>) =>
  estimateJob(stagesOf(address, params), NOTHING_MEASURED, { ...UNKNOWN, ...size }, TARIFF).estimated_seconds

const rate = (factor: number, seconds_mean = 10, jobs = MEASURED_JOBS_MIN): ProcessingRate => ({
  jobs,
  seconds_mean,
  typical_mean: seconds_mean / factor,
})

test.each([
  ['a video counts in minutes', { duration_seconds: 90, megapixels: null }, 1.5],
  ['an image counts in megapixels', { duration_seconds: null, megapixels: 12 }, 12],
  ['an input without a size counts as one', { duration_seconds: null, megapixels: null }, 1],
  ['an empty video counts as one', { duration_seconds: 0, megapixels: null }, 1],
])('%s', (_, input, size) => {
  expect(sizeOf(input)).toBe(size)
})

describe('on two cores', () => {
  test('an encode takes time for every frame, and a copy almost none', () => {
    const [short, long] = [60, 600].map((duration_seconds) =>
      seconds('video/compress', { crf: 28 }, { duration_seconds }),
    )
    expect((long ?? 0) / (short ?? 0)).toBeCloseTo(10, 0)
    expect(seconds('video/mute', {}, { duration_seconds: 600 })).toBeLessThan((long ?? 0) / 100)
  })

  test('a codec that takes longer is estimated longer, and costs more', () => {
    const [h264, hevc, av1] = [{}, { codec: 'hevc' }, { codec: 'av1' }].map((params) =>
      estimateJob(
        stagesOf('video/compress', params),
        NOTHING_MEASURED,
        { ...UNKNOWN, duration_seconds: 120 },
        TARIFF,
      ),
    )
    for (const slower of [hevc, av1]) {
      expect((slower?.estimated_seconds ?? 0) / (h264?.estimated_seconds ?? 0)).toBeGreaterThan(1.5)
      expect(slower?.estimated_credits).toBeGreaterThan(h264?.estimated_credits ?? 0)
    }
  })

  test.each([
    ['video/thumbnail', { at: 5 }],
    ['video/gif', { start: 5, duration: 3 }],
    ['video/trim', { start: 5, duration: 10 }],
    ['video/trim', { start: 0, duration: 10 }],
  ])('%s takes time for the part that it reads: %j', (address, params) => {
    const [short = 0, long = 0] = [60, 3600].map((duration_seconds) =>
      seconds(address, params, { duration_seconds }),
    )
    expect(long).toBeLessThan(short + 60)
  })

  test('copying a part is faster than encoding it', () => {
    const size = { duration_seconds: 1800 }
    const part = { start: 5, duration: 900 }
    const encoded = seconds('video/trim', { ...part, operations: [{ operation_key: 'flip' }] }, size)
    expect(seconds('video/trim', part, size)).toBeLessThan(encoded / 10)
    expect(seconds('video/trim', { ...part, precise: false }, size)).toBeLessThan(encoded / 10)
  })

  test('a codec that is slow to encode takes longer', () => {
    const size = { duration_seconds: 60 }
    const h264 = seconds('video/resize', { width: 640 }, size)
    const h265 = seconds('video/convert', { format: 'mp4', vcodec: 'libx265' }, size)
    expect(h265).toBeGreaterThan(h264)
  })

  test('an image takes time for its pixels', () => {
    const [small = 0, large = 0] = [12, 120].map((megapixels) => seconds('image/convert', {}, { megapixels }))
    expect(large).toBeGreaterThan(5 * small)
  })

  test('a part after the typical length has an estimate', () => {
    expect(seconds('video/trim', { start: 3000, duration: 10 }, {})).toBeGreaterThan(0)
  })
})

describe('with measured jobs', () => {
  test('the estimate follows how much longer than on two cores they took', () => {
    const size = { duration_seconds: 600, megapixels: null }
    const stages = stagesOf('video/compress')
    const typical = estimateJob(stages, NOTHING_MEASURED, size, TARIFF)
    const measured = estimateJob(stages, new Map([['video/compress', rate(0.25)]]), size, TARIFF)
    expect(measured.estimated_seconds).toBeCloseTo(typical.estimated_seconds / 4, 0)
    expect([typical.estimated_from, measured.estimated_from]).toEqual(['typical_figures', 'recent_jobs'])
  })

  test('the estimate without a size is the mean of the recent jobs', () => {
    const rates = new Map([['image/resize', rate(3, 0.42)]])
    expect(estimateJob(stagesOf('image/resize', { width: 100 }), rates, UNKNOWN, TARIFF)).toEqual({
      estimated_seconds: 0.4,
      estimated_credits: 2,
      estimated_from: 'recent_jobs',
    })
  })

  test('too few of them do not count', () => {
    const rates = new Map([['video/mute', rate(100, 1000, MEASURED_JOBS_MIN - 1)]])
    expect(estimateJob(stagesOf('video/mute'), rates, UNKNOWN, TARIFF).estimated_from).toBe('typical_figures')
  })

  test('the slowest operation of a pipeline decides', () => {
    const stages = stagesOf('video/mute', { operations: [{ operation_key: 'compress' }] })
    const size = { duration_seconds: 60, megapixels: null }
    const of = (mute: number, compress: number) => {
      const rates = new Map([
        ['video/mute', rate(mute)],
        ['video/compress', rate(compress)],
      ])
      return estimateJob(stages, rates, size, TARIFF).estimated_seconds
    }
    expect(of(1, 2)).toBeCloseTo(2 * of(1, 1), 0)
  })
})

test('the price is between the base and the maximum, and grows with the size', () => {
  const size = fc.double({ min: 0, max: 86_400, noNaN: true })
  const stages = OPERATIONS.map((operation) =>
    stagesOf(`${operation.service}/${operation.key}`, exampleParams(operation)),
  )
  fc.assert(
    fc.property(fc.constantFrom(...stages), size, size, (of, a, b) => {
      const price = (each: number) =>
        estimateJob(of, NOTHING_MEASURED, { duration_seconds: each, megapixels: each }, TARIFF)
          .estimated_credits
      expect(price(a)).toBeGreaterThanOrEqual(2)
      expect(price(a)).toBeLessThanOrEqual(30)
      // Where the input has the whole part that the parameters select.
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      if (low > 120) expect(price(low)).toBeLessThanOrEqual(price(high))
    }),
    { seed: 11 },
  )
})
