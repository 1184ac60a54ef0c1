import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Priced, PricePoint, Promotion } from './prices.ts'
import { findOwnReference, findReference } from './reference-price.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = 1000 * DAY_MS

/** Creates an item. All times are given in days before now. */
function item(history: [number, number][], promotions: [number, number, number][] = []): Priced {
  const points: PricePoint[] = history.map(([days, price_cents]) => ({
    price_cents,
    from: NOW - days * DAY_MS,
  }))
  return {
    id: 1,
    name: 'Pro',
    badge: null,
    price_cents: points.at(-1)?.price_cents ?? 1000,
    currency: 'USD',
    history: points,
    promotions: promotions.map(([starts, ends, discount_pct]) => ({
      discount_pct,
      starts_at: NOW - starts * DAY_MS,
      ends_at: NOW - ends * DAY_MS,
    })),
  }
}

describe('the reference price is the lowest price of the 30 days before the current one', () => {
  test.each([
    ['a promotion on a steady price', item([[100, 1000]], [[2, -5, 20]]), 1000],
    [
      'a lower list price',
      item([
        [100, 1000],
        [3, 800],
      ]),
      1000,
    ],
    [
      'an intermediate higher list price, which does not count',
      item([
        [100, 1000],
        [10, 1500],
        [3, 900],
      ]),
      1000,
    ],
    [
      'a higher price for more than 30 days',
      item([
        [100, 1000],
        [50, 1500],
        [3, 900],
      ]),
      1500,
    ],
    [
      'an older, cheaper promotion',
      item(
        [[100, 1000]],
        [
          [20, 15, 30],
          [2, -5, 10],
        ],
      ),
      null,
    ],
    [
      'an older, more expensive promotion',
      item(
        [[100, 1000]],
        [
          [20, 15, 10],
          [2, -5, 30],
        ],
      ),
      900,
    ],
    [
      'an older promotion that ended before the 30 days',
      item(
        [[100, 1000]],
        [
          [60, 40, 50],
          [2, -5, 10],
        ],
      ),
      1000,
    ],
    [
      'a promotion on a raised price that is no reduction',
      item(
        [
          [100, 1000],
          [5, 1300],
        ],
        [[2, -5, 20]],
      ),
      null,
    ],
    ['a promotion that has not started', item([[100, 1000]], [[-1, -5, 20]]), null],
    ['a promotion that has ended', item([[100, 1000]], [[5, 1, 20]]), null],
    ['a promotion withdrawn before it started', item([[100, 1000]], [[2, 2, 20]]), null],
  ])('%s', (_what, priced, reference) => {
    expect(findReference(priced, NOW)).toBe(reference)
  })
})

describe('there is no reference price', () => {
  test.each([
    ['without any history', item([])],
    ['for a new item', item([[1, 1000]])],
    ['for a new item with a promotion from its start', item([[1, 1000]], [[1, -5, 20]])],
    [
      'after the price rose',
      item([
        [100, 1000],
        [3, 1200],
      ]),
    ],
    [
      'when the list price was set again unchanged',
      item([
        [100, 1000],
        [3, 1000],
      ]),
    ],
    [
      'once the lower price is 30 days old',
      item([
        [100, 1000],
        [30, 800],
      ]),
    ],
    ['in a promotion that has run for 30 days', item([[100, 1000]], [[30, -30, 20]])],
  ])('%s', (_what, priced) => {
    expect(findReference(priced, NOW)).toBeNull()
  })

  test('but there is one just before 30 days are over', () => {
    const priced = item([[100, 1000]], [[30, -30, 20]])
    expect(findReference(priced, NOW - 1)).toBe(1000)
  })
})

describe('the reference price of an account', () => {
  const priced = item([[100, 1500]], [[2, -5, 20]])

  test.each([
    ['is the public one at the list price', 1500, 1200, 1500],
    ['never exceeds its own undiscounted rate', 1000, 800, 1000],
    ['is null when the account is charged no less than it', 1000, 1000, null],
  ])('%s', (_what, own_rate_cents, charge_cents, reference) => {
    expect(findOwnReference(priced, { own_rate_cents, charge_cents }, NOW)).toBe(reference)
  })
})

const day = fc.integer({ min: 0, max: 120 })
const histories = fc.array(fc.tuple(day, fc.integer({ min: 100, max: 5000 })), { minLength: 1, maxLength: 6 })
const spans = fc.array(
  fc.record({
    start: day,
    days: fc.integer({ min: 1, max: 40 }),
    discount_pct: fc.integer({ min: 1, max: 90 }),
  }),
  { maxLength: 3 },
)

/** Returns the price at a given time, computed in the simplest possible way. */
function priceAt({ history, promotions }: Priced, at: number): number | null {
  const listed = [...history].sort((one, other) => one.from - other.from).findLast(({ from }) => from <= at)
  if (listed === undefined) return null
  const promotion = promotions.find(({ starts_at, ends_at }) => starts_at <= at && at < ends_at)
  return Math.max(1, Math.round((listed.price_cents * (100 - (promotion?.discount_pct ?? 0))) / 100))
}

test('equals the minimum over every single day', () => {
  fc.assert(
    fc.property(histories, spans, (history, wanted) => {
      const promotions = wanted.map(({ start, days, discount_pct }): [number, number, number] => [
        start,
        start - days,
        discount_pct,
      ])
      const unique = history.filter(
        ([from], index) => history.findIndex(([other]) => other === from) === index,
      )
      const priced = withoutOverlap(item(unique, promotions))
      const days = Array.from({ length: 200 }, (_, index) => priceAt(priced, NOW - index * DAY_MS))
      const [current = null] = days
      const age = days.findIndex((price) => price !== current)
      const prior = days.slice(age, age + 30).filter((price) => price !== null)
      const lowest = Math.min(...prior)
      const isShown = current !== null && age >= 1 && age - 1 < 30 && prior.length > 0 && current < lowest
      expect(findReference(priced, NOW)).toBe(isShown ? lowest : null)
    }),
    { numRuns: 2000 },
  )
})

function withoutOverlap(priced: Priced): Priced {
  const kept: Promotion[] = []
  for (const promotion of priced.promotions) {
    const clashes = kept.some(
      (other) => promotion.starts_at < other.ends_at && other.starts_at < promotion.ends_at,
    )
    if (!clashes) kept.push(promotion)
  }
  return { ...priced, promotions: kept }
}
