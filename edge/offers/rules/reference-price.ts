import { discountPrice, type Priced, promotionDiscount } from './prices.ts'

/** The length of the reference window. Contract: Limits, Time windows. */
export const REFERENCE_WINDOW_MS = 30 * 24 * 60 * 60 * 1000

/** A public price and when it took effect. The price is null while the item was not on sale. */
interface Stretch {
  price_cents: number | null
  from: number
}

/**
 * Returns the lowest public price in the 30 days before the current price took effect. Returns null if there was
 * none, if the current price is not below it, or if the current price took effect at least 30 days ago.
 * Contract: Price rule 2.
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
 * Returns the reference price for one account.
 * @param own_rate_cents the account's current rate before discounts, which caps the reference price.
 * @returns null if the charged price is not a reduction.
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

/** Returns the history of public prices up to now, with equal neighbors merged. */
function listStretches(item: Priced, now: number): Stretch[] {
  const times = [
    ...item.history.map(({ from }) => from),
    ...item.promotions.flatMap(({ starts_at, ends_at }) => [starts_at, ends_at]),
  ]
  const past = [...new Set(times)].filter((time) => time <= now).sort((one, other) => one - other)
  return past
    .map((from) => ({ price_cents: publicPriceAt(item, from), from }))
    .filter((stretch, index, all) => stretch.price_cents !== all[index - 1]?.price_cents)
}

function publicPriceAt(item: Priced, time: number): number | null {
  const listed = item.history.filter(({ from }) => from <= time)
  const newest = listed.reduce<(typeof listed)[number] | null>(
    (latest, point) => (latest === null || point.from > latest.from ? point : latest),
    null,
  )
  return newest && discountPrice(newest.price_cents, [promotionDiscount(item, time)])
}
