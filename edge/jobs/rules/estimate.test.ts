import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../../shared/operations/index.ts'
import { estimateJob, MEASURED_JOBS_MIN, type ProcessingRate, sizeOf } from './estimate.ts'
import { TYPICAL_RATES } from './typical-rates.ts'

const TARIFF = { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 }
const compress = { service: 'video', key: 'compress' } as const
const mute = { service: 'video', key: 'mute' } as const
const resize = { service: 'image', key: 'resize' } as const

const rate = (seconds_mean: number, size_mean: number, jobs = MEASURED_JOBS_MIN): ProcessingRate => ({
  jobs,
  seconds_mean,
  size_mean,
})

test.each([
  ['a video counts in minutes', { duration_seconds: 90, megapixels: null }, 1.5],
  ['an image counts in megapixels', { duration_seconds: null, megapixels: 12 }, 12],
  ['an input without a size counts as one', { duration_seconds: null, megapixels: null }, 1],
  ['an empty video counts as one', { duration_seconds: 0, megapixels: null }, 1],
])('%s', (_, input, size) => {
  expect(sizeOf(input)).toBe(size)
})

test('scales the measured rate to the length of the input', () => {
  const rates = new Map([['video/compress', rate(30, 2)]])
  expect(estimateJob([compress], rates, 10, TARIFF)).toEqual({
    estimated_seconds: 150,
    estimated_credits: 4,
    estimated_from: 'recent_jobs',
  })
})

test('scales the measured rate to the pixels of an image', () => {
  const rates = new Map([['image/resize', rate(0.4, 10)]])
  expect(estimateJob([resize], rates, 50, TARIFF)).toMatchObject({ estimated_seconds: 2 })
})

test('without a size, expects the mean of the recent jobs', () => {
  const rates = new Map([['image/resize', rate(0.42, 12)]])
  expect(estimateJob([resize], rates, null, TARIFF)).toEqual({
    estimated_seconds: 0.4,
    estimated_credits: 2,
    estimated_from: 'recent_jobs',
  })
})

test('uses the typical figures until enough jobs were measured', () => {
  const rates = new Map([['video/mute', rate(1000, 1, MEASURED_JOBS_MIN - 1)]])
  expect(estimateJob([mute], rates, 1, TARIFF)).toEqual({
    estimated_seconds: 1,
    estimated_credits: 2,
    estimated_from: 'typical_figures',
  })
})

test('the slowest operation of a pipeline decides', () => {
  const rates = new Map([
    ['video/mute', rate(1, 1)],
    ['video/compress', rate(90, 1)],
  ])
  expect(estimateJob([mute, compress], rates, 1, TARIFF)).toMatchObject({
    estimated_seconds: 90,
    estimated_credits: 3,
  })
})

test('every operation has typical figures', () => {
  expect(Object.keys(TYPICAL_RATES).toSorted()).toEqual(
    OPERATIONS.map(({ service, key }) => `${service}/${key}`).toSorted(),
  )
})

test('the price is between the base and the maximum, and grows with the size', () => {
  const size = fc.double({ min: 0, max: 1440, noNaN: true })
  fc.assert(
    fc.property(fc.constantFrom(...OPERATIONS), size, size, (operation, a, b) => {
      const price = (of: number) => estimateJob([operation], new Map(), of, TARIFF).estimated_credits
      expect(price(Math.min(a, b))).toBeLessThanOrEqual(price(Math.max(a, b)))
      expect(price(a)).toBeGreaterThanOrEqual(2)
      expect(price(a)).toBeLessThanOrEqual(30)
    }),
    { seed: 11 },
  )
})
