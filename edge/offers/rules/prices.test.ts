import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  composeDiscounts,
  discountPrice,
  type PricedPack,
  type PricedPlan,
  pricePack,
  priceTerm,
  rateOf,
} from './prices.ts'

const PLAN: PricedPlan = {
  id: 1,
  slug: 'pro',
  name: 'Pro',
  badge: null,
  price_cents: 1500,
  currency: 'USD',
  period_credits: 2000,
  period_days: 30,
  priority: 2,
  terms: [
    { months: 1, discount_pct: 0 },
    { months: 12, discount_pct: 25 },
  ],
  lock: null,
  promotions: [],
  history: [],
}
const PACK: PricedPack = { ...PLAN, credits: 500, price_cents: 800 }
const running = (discount_pct: number) => [{ discount_pct, starts_at: 0, ends_at: 100 }]

const pct = fc.integer({ min: 0, max: 90 })
const cents = fc.integer({ min: 1, max: 100_000_000 })

describe('discounts compose multiplicatively', () => {
  test.each([
    [[20, 25], 40],
    [[0, 0], 0],
    [[10], 10],
    [[10, 10], 19],
    [[15, 5], 19],
    [[33, 33], 55],
    [[1, 1], 1],
    [[90, 90], 99],
  ])('%j compose to %i %%', (discounts, together) => {
    expect(composeDiscounts(discounts)).toBe(together)
  })

  test('the composed discount is rounded down by less than one percent', () => {
    fc.assert(
      fc.property(pct, pct, (one, other) => {
        const exact = 100 - ((100 - one) * (100 - other)) / 100
        const composed = composeDiscounts([one, other])
        expect(composed).toBeLessThanOrEqual(exact + 1e-9)
        expect(exact - composed).toBeLessThan(1)
      }),
    )
  })

  test('the order of discounts does not matter, and a zero discount has no effect', () => {
    fc.assert(
      fc.property(cents, pct, pct, (price, one, other) => {
        expect(discountPrice(price, [one, other])).toBe(discountPrice(price, [other, one]))
        expect(discountPrice(price, [one, 0])).toBe(discountPrice(price, [one]))
        expect(discountPrice(price, [])).toBe(price)
      }),
    )
  })

  test('a price is a whole number of cents between one and the undiscounted price', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 36 }), pct, pct, (rate, months, one, other) => {
        const price = discountPrice(rate * months, [one, other])
        expect(Number.isSafeInteger(price)).toBe(true)
        expect(price).toBeGreaterThanOrEqual(1)
        expect(price).toBeLessThanOrEqual(rate * months)
        const exact = (BigInt(rate * months) * BigInt((100 - one) * (100 - other)) + 5000n) / 10_000n
        expect(price).toBe(Math.max(1, Number(exact)))
      }),
    )
  })
})

describe('a term', () => {
  test('costs the monthly rate times its months, less the promotion and the term discount', () => {
    const plan = { ...PLAN, promotions: running(20) }
    expect(priceTerm(plan, { months: 12, discount_pct: 25 }, 50)).toEqual({
      plan_id: 1,
      item_name: 'Pro',
      months: 12,
      credits_per_month: 2000,
      credits_total: 24_000,
      period_days: 30,
      monthly_rate_cents: 1500,
      undiscounted_cents: 18_000,
      charge_cents: 10_800,
      discount_pct: 40,
      currency: 'USD',
    })
  })

  test('is rounded once, not per month', () => {
    const term = priceTerm({ ...PLAN, price_cents: 333 }, { months: 3, discount_pct: 10 }, 0)
    expect(term.charge_cents).toBe(899)
  })

  test.each([
    ['before it starts', -1, 1500],
    ['from its start', 0, 1200],
    ['until its end', 99, 1200],
    ['not at its end', 100, 1500],
  ])('a promotion counts or not: %s', (_when, now, charge_cents) => {
    const plan = { ...PLAN, promotions: running(20) }
    expect(priceTerm(plan, { months: 1, discount_pct: 0 }, now)).toMatchObject({ charge_cents })
  })
})

describe('the price lock', () => {
  const locked = (monthly_rate_cents: number, credits_per_month: number) =>
    rateOf({ ...PLAN, lock: { monthly_rate_cents, credits_per_month } })

  test.each([
    ['the list price rose', 1000, 2000, { monthly_rate_cents: 1000, credits_per_month: 2000 }],
    ['the list price fell', 2000, 2000, { monthly_rate_cents: 1500, credits_per_month: 2000 }],
    ['the allowance fell', 1500, 3000, { monthly_rate_cents: 1500, credits_per_month: 3000 }],
    ['the allowance rose', 1500, 1000, { monthly_rate_cents: 1500, credits_per_month: 2000 }],
  ])('gives the better of the two when %s', (_what, rate, credits, expected) => {
    expect(locked(rate, credits)).toEqual(expected)
  })

  test('never costs more or gives less than either', () => {
    fc.assert(
      fc.property(cents, cents, cents, cents, (list, rate, allowance, kept) => {
        const lock = { monthly_rate_cents: rate, credits_per_month: kept }
        const own = rateOf({ ...PLAN, price_cents: list, period_credits: allowance, lock })
        expect(own.monthly_rate_cents).toBe(Math.min(list, rate))
        expect(own.credits_per_month).toBe(Math.max(allowance, kept))
      }),
    )
  })
})

describe('a pack', () => {
  test('costs its list price less its promotion when bought alone', () => {
    expect(pricePack({ ...PACK, promotions: running(25) }, 0, 50)).toEqual({
      package_id: 1,
      item_name: 'Pro',
      credits: 500,
      list_cents: 800,
      charge_cents: 600,
      discount_pct: 25,
      currency: 'USD',
    })
  })

  test('has a further discount in a bundle', () => {
    expect(pricePack({ ...PACK, promotions: running(25) }, 20, 50)).toMatchObject({
      list_cents: 800,
      charge_cents: 480,
      discount_pct: 40,
    })
  })
})
