/** Badges that an administrator may put on a plan or pack. Contract: Price rule 3. */
export const BADGES = ['recommended', 'new', 'limited'] as const
export type Badge = (typeof BADGES)[number]

/** A temporary discount, in effect from its start until its end. */
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
  /** List price; for a plan, of one month. */
  price_cents: number
  currency: string
  /** Promotions that may matter now; long-ended ones are omitted. None overlap. */
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
  /** Always includes one month without a discount. */
  terms: readonly Term[]
  /** The price lock of the requesting account; null without one. */
  lock: PriceLock | null
}

export interface PricedPack extends Priced {
  credits: number
}

/** Adds the one-month term, which is always sold without a discount. Shortest first. */
export function withOneMonth(terms: readonly Term[]): Term[] {
  const longer = terms.filter(({ months }) => months > 1).sort((one, other) => one.months - other.months)
  return [{ months: 1, discount_pct: 0 }, ...longer]
}

/** Applies discounts multiplicatively: 20 % and 25 % give 40 %. Contract: Price rule 5. */
export function discountPrice(price_cents: number, discounts_pct: readonly number[]): number {
  const kept = discounts_pct.reduce((product, pct) => product * (100 - pct), price_cents)
  // Never free: an order of zero could not be paid.
  return Math.max(1, Math.round(kept / 100 ** discounts_pct.length))
}

/** Returns the combined discount in whole percent, rounded down. */
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
 * Returns the monthly price before discounts and the monthly credits for this account: of the list and the
 * price lock, the better value of each. Contract: Purchases, Price lock.
 */
export function rateOf({ price_cents, period_credits, lock }: PricedPlan) {
  return {
    monthly_rate_cents: Math.min(price_cents, lock?.monthly_rate_cents ?? price_cents),
    credits_per_month: Math.max(period_credits, lock?.credits_per_month ?? period_credits),
  }
}

/** The exact price of a term of a plan, before tax. */
export interface PlanQuote {
  plan_id: number
  item_name: string
  months: number
  credits_per_month: number
  credits_total: number
  period_days: number
  /** Before discounts, as the price lock keeps it. */
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
 * @param bundle_discount_pct discount when bought with a plan; 0 for a pack alone.
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
