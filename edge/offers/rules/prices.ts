/** Badges that an administrator can assign to a plan or pack. Contract: Price rule 3. */
export const BADGES = ['recommended', 'new', 'limited'] as const
export type Badge = (typeof BADGES)[number]

/** A temporary discount, in effect from its start to its end. */
export interface Promotion {
  discount_pct: number
  starts_at: number
  ends_at: number
}

/** A list price, in effect until the next one. */
export interface PricePoint {
  price_cents: number
  from: number
}

export interface Priced {
  id: number
  name: string
  badge: Badge | null
  /** List price; for a plan, the price of one month. */
  price_cents: number
  currency: string
  /** Promotions that may still affect prices; those that ended long ago are omitted. None overlap. */
  promotions: readonly Promotion[]
  history: readonly PricePoint[]
}

export interface Term {
  months: number
  discount_pct: number
}

/** The first monthly price an account paid for a plan, before discounts, and its monthly credits. */
export interface PriceLock {
  monthly_rate_cents: number
  credits_per_month: number
}

export interface PricedPlan extends Priced {
  slug: string
  period_credits: number
  period_days: number
  priority: number
  /** Always includes a one-month term without a discount. */
  terms: readonly Term[]
  /** The requesting account's price lock; null if it has none. */
  lock: PriceLock | null
}

export interface PricedPack extends Priced {
  credits: number
}

/** Adds the one-month term, which is always sold without a discount. Sorts the terms from shortest to longest. */
export function withOneMonth(terms: readonly Term[]): Term[] {
  const longer = terms.filter(({ months }) => months > 1).sort((one, other) => one.months - other.months)
  return [{ months: 1, discount_pct: 0 }, ...longer]
}

/** Applies discounts multiplicatively: 20% and 25% combine to 40%. Contract: Price rule 5. */
export function discountPrice(price_cents: number, discounts_pct: readonly number[]): number {
  const kept = discounts_pct.reduce((product, pct) => product * (100 - pct), price_cents)
  // The price is never zero, because an order for nothing could not be paid.
  return Math.max(1, Math.round(kept / 100 ** discounts_pct.length))
}

/** Returns the combined discount as a whole percentage, rounded down. */
export function composeDiscounts(discounts_pct: readonly number[]): number {
  const whole = 100 ** discounts_pct.length
  const kept = discounts_pct.reduce((product, pct) => product * (100 - pct), 1)
  return Math.floor(((whole - kept) * 100) / whole)
}

export function promotionAt({ promotions }: Pick<Priced, 'promotions'>, now: number): Promotion | null {
  return promotions.find(({ starts_at, ends_at }) => starts_at <= now && now < ends_at) ?? null
}

export function promotionDiscount(item: Pick<Priced, 'promotions'>, now: number): number {
  return promotionAt(item, now)?.discount_pct ?? 0
}

/**
 * Returns this account's monthly price before discounts and its monthly credits: the lower of the list price and
 * the locked price, and the higher of the two credit amounts. Contract: Purchases, Price lock.
 */
export function rateOf({ price_cents, period_credits, lock }: PricedPlan) {
  return {
    monthly_rate_cents: Math.min(price_cents, lock?.monthly_rate_cents ?? price_cents),
    credits_per_month: Math.max(period_credits, lock?.credits_per_month ?? period_credits),
  }
}

/** The exact price of a plan term, before tax. */
export interface PlanQuote {
  plan_id: number
  item_name: string
  months: number
  credits_per_month: number
  credits_total: number
  period_days: number
  /** The monthly price before discounts, which the price lock preserves. */
  monthly_rate_cents: number
  undiscounted_cents: number
  charge_cents: number
  discount_pct: number
  currency: string
}

export function priceTerm(plan: PricedPlan, term: Term, now: number): PlanQuote {
  const { monthly_rate_cents, credits_per_month } = rateOf(plan)
  const discounts = [promotionDiscount(plan, now), term.discount_pct]
  const undiscounted_cents = monthly_rate_cents * term.months
  return {
    plan_id: plan.id,
    item_name: plan.name,
    months: term.months,
    credits_per_month,
    credits_total: credits_per_month * term.months,
    period_days: plan.period_days,
    monthly_rate_cents,
    undiscounted_cents,
    charge_cents: discountPrice(undiscounted_cents, discounts),
    discount_pct: composeDiscounts(discounts),
    currency: plan.currency,
  }
}

/** The exact price of a pack, alone or in a bundle. */
export interface PackQuote {
  package_id: number
  item_name: string
  credits: number
  list_cents: number
  charge_cents: number
  discount_pct: number
  currency: string
}

/**
 * Quotes a pack.
 * @param bundle_discount_pct discount if the pack is bought with a plan; 0 for a pack alone.
 */
export function pricePack(pack: PricedPack, bundle_discount_pct: number, now: number): PackQuote {
  const discounts = [promotionDiscount(pack, now), bundle_discount_pct]
  return {
    package_id: pack.id,
    item_name: pack.name,
    credits: pack.credits,
    list_cents: pack.price_cents,
    charge_cents: discountPrice(pack.price_cents, discounts),
    discount_pct: composeDiscounts(discounts),
    currency: pack.currency,
  }
}
