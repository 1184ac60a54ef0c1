import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Credits } from '../../credits/rules/ledger.ts'
import type { TermMonth } from '../../subscriptions/rules/terms.ts'
import {
  boughtBy,
  creditsForSurplus,
  creditsOf,
  deliverPurchase,
  type SoldOrder,
  shareOf,
} from './delivery.ts'

const EMPTY: Credits = { sequence: 0, balance: 0, grants: [] }
const NOW = 1_000_000_000
const MONTH_MS = 30 * 24 * 60 * 60 * 1000
const NEW_TERM = { id: 'term', months: [], last_number: 0 }

const PLAN: SoldOrder = {
  id: 'O-1',
  kind: 'subscription',
  credits: 6000,
  months: 3,
  creditsPerMonth: 2000,
  periodDays: 30,
  bundleCredits: null,
}
const PACK = { ...PLAN, kind: 'package' as const, credits: 500, months: null, creditsPerMonth: null }
const BUNDLE = { ...PLAN, bundleCredits: 500 }

function monthOf(number: number, starts_at: number, delivered: boolean): TermMonth {
  return { number, order_id: 'O-0', credits: 2000, starts_at, ends_at: starts_at + MONTH_MS, delivered }
}

describe('delivering an order', () => {
  test('of a pack grants its credits at once without expiry', () => {
    const { change, months, period_end } = deliverPurchase(EMPTY, boughtBy(PACK), NEW_TERM, NOW)
    expect([months, period_end]).toEqual([[], null])
    expect(change.entries).toMatchObject([
      { entry_type: 'purchase', amount: 500, expires_at: null, order_id: 'O-1', cause: 'order:O-1:pack' },
    ])
  })

  test('of months grants one allowance now and schedules the others', () => {
    const { change, months, period_end } = deliverPurchase(EMPTY, boughtBy(PLAN), NEW_TERM, NOW)
    expect(change.entries).toMatchObject([
      { entry_type: 'subscription', amount: 2000, expires_at: NOW + MONTH_MS, cause: 'term:term:1' },
    ])
    expect(months.map(({ number, starts_at }) => [number, starts_at])).toEqual([
      [1, NOW],
      [2, NOW + MONTH_MS],
      [3, NOW + 2 * MONTH_MS],
    ])
    expect(period_end).toBe(NOW + 3 * MONTH_MS)
  })

  test('Purchase rule 4: of a bundle grants both parts in one change', () => {
    const { change } = deliverPurchase(EMPTY, boughtBy(BUNDLE), NEW_TERM, NOW)
    expect(change.entries.map(({ entry_type, amount }) => [entry_type, amount])).toEqual([
      ['purchase', 500],
      ['subscription', 2000],
    ])
    expect(change.credits.balance).toBe(2500)
  })

  test('that extends a term appends its months and grants nothing now', () => {
    const term = { id: 'term', months: [monthOf(1, NOW - 5, true)], last_number: 1 }
    const { change, months, period_end } = deliverPurchase(EMPTY, boughtBy(PLAN), term, NOW)
    expect(change.entries).toEqual([])
    expect(months.map(({ number }) => number)).toEqual([2, 3, 4])
    expect(months[0]?.starts_at).toBe(NOW - 5 + MONTH_MS)
    expect(period_end).toBe(NOW - 5 + 4 * MONTH_MS)
  })

  test('that extends a term with withdrawn months reuses no month number', () => {
    const term = { id: 'term', months: [monthOf(1, NOW - 5, true)], last_number: 6 }
    const { months } = deliverPurchase(EMPTY, boughtBy(PLAN), term, NOW)
    expect(months.map(({ number }) => number)).toEqual([7, 8, 9])
    expect(months[0]?.starts_at).toBe(NOW - 5 + MONTH_MS)
  })

  test('that extends a term in its grace grants the month that has begun', () => {
    const term = { id: 'term', months: [monthOf(1, NOW - MONTH_MS - 5, true)], last_number: 1 }
    const { change } = deliverPurchase(EMPTY, boughtBy(PLAN), term, NOW)
    expect(change.entries).toMatchObject([
      { amount: 2000, expires_at: NOW - 5 + MONTH_MS, cause: 'term:term:2' },
    ])
  })

  test('of a plan with missing figures is refused', () => {
    expect(() => boughtBy({ ...PLAN, months: null })).toThrow('has no complete item')
  })
})

describe('the paid part of an order', () => {
  test.each([
    [BUNDLE, 1000, 2000, 250, 1000],
    [BUNDLE, 1999, 2000, 499, 1999],
    [BUNDLE, 1, 2000, 0, 1],
    [BUNDLE, 3000, 2000, 500, 2000],
    [PLAN, 1, 100_000, null, 0],
    [PACK, 333, 1000, 166, null],
  ])('of %j, for %i of %i cents', (order, paid, amount, pack, monthly) => {
    const part = shareOf(boughtBy(order), paid, amount)
    expect(part.pack_credits).toBe(pack)
    expect(part.plan?.credits_per_month ?? null).toBe(monthly)
  })

  test('never exceeds the amount paid, and is everything for the full price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (paid, amount) => {
        const whole = boughtBy(BUNDLE)
        const part = shareOf(whole, paid, amount)
        expect(creditsOf(part) * amount).toBeLessThanOrEqual(creditsOf(whole) * paid)
        expect(creditsOf(part)).toBeLessThanOrEqual(creditsOf(whole))
        if (paid >= amount) expect(part).toEqual(whole)
      }),
    )
  })

  test('with less than one credit per month opens no term', () => {
    const part = shareOf(boughtBy(BUNDLE), 1, 400)
    const { change, months, period_end } = deliverPurchase(
      EMPTY,
      { ...part, plan: part.plan && { ...part.plan, credits_per_month: 0 } },
      NEW_TERM,
      NOW,
    )
    expect(change.entries).toHaveLength(1)
    expect([months, period_end]).toEqual([[], null])
  })
})

describe('the credits for a surplus', () => {
  const order = { ...PACK, amountCents: 999, actuallyPaidCents: 0, refusedCents: 0 }
  const creditsFor = (surplus: number, { undelivered = 0, credited = 0 } = {}) =>
    creditsForSurplus({ ...order, undeliveredCents: undelivered, surplusCreditedCents: credited }, surplus)

  test.each([
    [0, {}, 0],
    [1, {}, 0],
    [2, {}, 1],
    [999, {}, 500],
    [999_000, {}, 500_000],
    [599, { undelivered: 599 }, 300],
  ])('for %d cents %j are %d', (surplus, facts, credits) => {
    expect(creditsFor(surplus, facts)).toBe(credits)
  })

  test('are the same in one part and in several', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 }), (parts) => {
        let credited = 0
        const sum = parts.reduce((total, part) => {
          const credits = creditsFor(part, { credited })
          credited += part
          return total + credits
        }, 0)
        expect(sum).toBe(creditsFor(credited))
      }),
    )
  })
})
