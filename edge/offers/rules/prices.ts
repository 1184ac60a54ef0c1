/** Short keys that an administrator may put on a plan or pack. Contract: Price rule 3. */
export const BADGES = ['recommended', 'new', 'limited'] as const
export type Badge = (typeof BADGES)[number]

/** A reduction for a while: in force from its start until its end. */
export interface Promotion {
  discount_pct: number
  starts_at: number
  ends_at: number
}

/** What an item was listed at, from when until the next one. */
export interface PricePoint {
  price_cents: number
  from: number
}

export interface Priced {
  id: number
  name: string
  badge: Badge | null
  /** The list price; of a plan for one month. */
  price_cents: number
  currency: string
  /** Those that can matter now: the ones that ended long ago are left out. None overlap. */
  promotions: readonly Promotion[]
  history: readonly PricePoint[]
}

export interface Term {
  months: number
  discount_pct: number
}

/** What an account first paid for a plan, before discounts, and what it got each month. */
export interface PriceLock {
  monthly_rate_cents: number
  credits_per_month: number
}

export interface PricedPlan extends Priced {
  slug: string
  period_credits: number
  period_days: number
  priority: number
  /** One month is always among them, at no discount. */
  terms: readonly Term[]
  /** Of the account that asks; null for everybody else. */
  lock: PriceLock | null
}

export interface PricedPack extends Priced {
  credits: number
}

/** Discounts compose multiplicatively: 20 % and 25 % give 40 %. Contract: Price rule 5. */
export function discountPrice(price_cents: number, discounts_pct: readonly number[]): number {
  const kept = discounts_pct.reduce((product, pct) => product * (100 - pct), price_cents)
  // Nothing is for nothing: an order of no amount could not be paid.
  return Math.max(1, Math.round(kept / 100 ** discounts_pct.length))
}

/** What discounts come to together, in whole percent, never more than is taken off. */
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
 * What a plan costs this account in a month before discounts, and what it gets for that: of the list and
 * what it first paid and got, the better one each. Contract: Purchases, Price lock.
 */
export function rateOf({ price_cents, period_credits, lock }: PricedPlan) {
  return {
    monthly_rate_cents: Math.min(price_cents, lock?.monthly_rate_cents ?? price_cents),
    credits_per_month: Math.max(period_credits, lock?.credits_per_month ?? period_credits),
  }
}

/** Exactly what a term of a plan is sold for. Amounts are before tax. */
export interface PlanQuote {
  plan_id: number
  item_name: string
  months: number
  credits_per_month: number
  credits_total: number
  period_days: number
  /** Before discounts: what the price lock keeps. */
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

/** Exactly what a pack is sold for, alone or in a bundle. */
export interface PackQuote {
  package_id: number
  item_name: string
  credits: number
  list_cents: number
  charge_cents: number
  discount_pct: number
  currency: string
}

/** @param bundle_discount_pct what a pack is reduced by beside a plan; 0 for a pack alone. */
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
