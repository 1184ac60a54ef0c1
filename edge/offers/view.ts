import { isoTime } from '../platform/iso-time.ts'
import type { PricedOffers } from './quote.ts'
import {
  discountPrice,
  type PackQuote,
  type PlanQuote,
  type Priced,
  type PricedPack,
  type PricedPlan,
  pricePack,
  priceTerm,
  promotionAt,
  promotionDiscount,
  rateOf,
} from './rules/prices.ts'
import { findOwnReference } from './rules/reference-price.ts'

/** Returns a plan as the API shows it. Contract: Purchases, Plan offers. */
export function viewPlan(offers: PricedOffers, plan: PricedPlan) {
  const { now } = offers
  const { monthly_rate_cents, credits_per_month } = rateOf(plan)
  const charge_cents = discountPrice(monthly_rate_cents, [promotionDiscount(plan, now)])
  return {
    id: plan.id,
    slug: plan.slug,
    name: plan.name,
    price_cents: monthly_rate_cents,
    period_credits: credits_per_month,
    period_days: plan.period_days,
    priority: plan.priority,
    is_locked_price: monthly_rate_cents < plan.price_cents,
    list_price_cents: plan.price_cents,
    charge_cents,
    ...viewPrice(plan, { own_rate_cents: monthly_rate_cents, charge_cents }, now),
    is_popular: plan.id === offers.popular_plan_id,
    terms: plan.terms.map((term) => viewTerm(priceTerm(plan, term, now))),
  }
}

/** Returns a pack as the API shows it. Contract: Purchases, Packs. */
export function viewPack(offers: PricedOffers, pack: PricedPack) {
  const { now, bundle_pack_discount_pct } = offers
  const { charge_cents } = pricePack(pack, 0, now)
  return {
    id: pack.id,
    name: pack.name,
    credits: pack.credits,
    price_cents: pack.price_cents,
    charge_cents,
    ...viewPrice(pack, { own_rate_cents: pack.price_cents, charge_cents }, now),
    is_popular: pack.id === offers.popular_package_id,
    bundle_charge_cents: pricePack(pack, bundle_pack_discount_pct, now).charge_cents,
  }
}

function viewPrice(item: Priced, own: { own_rate_cents: number; charge_cents: number }, now: number) {
  return {
    reference_cents: findOwnReference(item, own, now),
    ...(item.badge === null ? {} : { badge: item.badge }),
    currency: item.currency,
    promo_ends_at: isoTime(promotionAt(item, now)?.ends_at ?? null),
  }
}

export function viewTerm(quote: PlanQuote) {
  return {
    months: quote.months,
    credits_per_month: quote.credits_per_month,
    credits_total: quote.credits_total,
    monthly_price_cents: quote.monthly_rate_cents,
    undiscounted_cents: quote.undiscounted_cents,
    charge_cents: quote.charge_cents,
    discount_pct: quote.discount_pct,
    currency: quote.currency,
  }
}

/** Returns a bundle quote as the API shows it. Contract: Purchases, Bundle quote. */
export function viewBundle({
  plan,
  pack,
  total_cents,
}: {
  plan: PlanQuote
  pack: PackQuote
  total_cents: number
}) {
  return {
    plan_id: plan.plan_id,
    package_id: pack.package_id,
    months: plan.months,
    term: viewTerm(plan),
    pack_credits: pack.credits,
    pack_list_cents: pack.list_cents,
    pack_charge_cents: pack.charge_cents,
    pack_discount_pct: pack.discount_pct,
    total_cents,
    currency: plan.currency,
  }
}
