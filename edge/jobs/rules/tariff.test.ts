import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceOf, remainderOf } from './tariff.ts'

const TARIFF = { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 }

test.each([
  [0, 2],
  [0.001, 2],
  [1, 2],
  [60, 2],
  [60.001, 3],
  [61, 3],
  [120, 3],
  [121, 4],
  [180, 4],
  [28 * 60, 29],
  [28 * 60 + 1, 30],
  [29 * 60 + 1, 30],
  [24 * 3600, 30],
  [Number.POSITIVE_INFINITY, 30],
])('%d s cost %i credits', (seconds, credits) => {
  expect(priceOf(TARIFF, seconds * 1000)).toBe(credits)
})

test('a ceiling below the base does not lower the base', () => {
  expect(priceOf({ ...TARIFF, max_credits: 1 }, 10 * 60_000)).toBe(2)
})

test('the price grows with time, from the base to the ceiling', () => {
  const time = fc.nat(100 * 60_000)
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [short, long] = a < b ? [a, b] : [b, a]
      expect(priceOf(TARIFF, short)).toBeLessThanOrEqual(priceOf(TARIFF, long))
      expect(priceOf(TARIFF, short)).toBeGreaterThanOrEqual(2)
      expect(priceOf(TARIFF, long)).toBeLessThanOrEqual(30)
    }),
    { seed: 4 },
  )
})

test.each([
  [3, 2, 10, 1],
  [2, 2, 10, 0],
  [2, 3, 10, 0],
  [30, 2, 5, 5],
  [30, 2, 0, 0],
])('price %i, paid %i, balance %i: %i remain due', (price, paid, balance, due) => {
  expect(remainderOf(price, paid, balance)).toBe(due)
})

test('the remainder is never negative and never exceeds the balance', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.nat(100), (price, paid, balance) => {
      const due = remainderOf(price, paid, balance)
      expect(due).toBeGreaterThanOrEqual(0)
      expect(due).toBeLessThanOrEqual(balance)
      expect(due).toBeLessThanOrEqual(price)
    }),
    { seed: 5 },
  )
})
