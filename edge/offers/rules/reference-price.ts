import { discountPrice, type Priced, promotionDiscount } from './prices.ts'

/** Contract: Limits, Time windows. */
export const REFERENCE_WINDOW_MS = 30 * 24 * 60 * 60 * 1000

/** A public price and when it came into force; null: the item was not on sale yet. */
interface Stretch {
  price_cents: number | null
  from: number
}

/**
 * The lowest price that was genuinely on sale to everybody in the 30 days before the present one came into
 * force. null where no reduction may be shown: there was no price before, all of it is more than 30 days
 * ago, or the present price is not below it. Contract: Price rule 2.
 */
export function findReference(item: Priced, now: number): number | null {
  const stretches = listStretches(item, now)
  const current = stretches.at(-1)
  if (current === undefined || current.price_cents === null || current.from <= now - REFERENCE_WINDOW_MS) {
    return null
  }
  const since = current.from - REFERENCE_WINDOW_MS
  const prior = stretches
    .slice(0, -1)
    .filter((_, index) => (stretches[index + 1]?.from ?? 0) > since)
    .flatMap(({ price_cents }) => (price_cents === null ? [] : [price_cents]))
  const lowest_cents = Math.min(...prior)
  return Number.isFinite(lowest_cents) && current.price_cents < lowest_cents ? lowest_cents : null
}

/**
 * The same to one who asks.
 * @param own_rate_cents what it costs them now before discounts: no higher price is told as the one before.
 * @returns null where what is charged is no reduction to it.
 */
export function findOwnReference(
  item: Priced,
  { own_rate_cents, charge_cents }: { own_rate_cents: number; charge_cents: number },
  now: number,
): number | null {
  const reference = findReference(item, now)
  if (reference === null) return null
  const own_cents = Math.min(reference, own_rate_cents)
  return charge_cents < own_cents ? own_cents : null
}

/** The public price through time, equal neighbours as one, up to the present. */
function listStretches(item: Priced, now: number): Stretch[] {
  const moments = [
    ...item.history.map(({ from }) => from),
    ...item.promotions.flatMap(({ starts_at, ends_at }) => [starts_at, ends_at]),
  ]
  const past = [...new Set(moments)].filter((moment) => moment <= now).sort((one, other) => one - other)
  return past
    .map((from) => ({ price_cents: publicPriceAt(item, from), from }))
    .filter((stretch, index, all) => stretch.price_cents !== all[index - 1]?.price_cents)
}

function publicPriceAt(item: Priced, moment: number): number | null {
  const listed = item.history.filter(({ from }) => from <= moment)
  const newest = listed.reduce<(typeof listed)[number] | null>(
    (latest, point) => (latest === null || point.from > latest.from ? point : latest),
    null,
  )
  return newest && discountPrice(newest.price_cents, [promotionDiscount(item, moment)])
}
