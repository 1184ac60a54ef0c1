import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import { type Offers, readOffers } from './queries.ts'
import { type PackQuote, type PlanQuote, pricePack, priceTerm } from './rules/prices.ts'

/** Everything that prices depend on at one time, either for one account or for the public. */
export interface PricedOffers extends Offers {
  now: number
  bundle_pack_discount_pct: number
  packs_require_subscription: boolean
}

/** Loads the items on sale in one round trip. Quotes and charges are based on the same data. */
export async function loadOffers(deps: Deps, accountId: number | null, now: number): Promise<PricedOffers> {
  const settings = await loadSettings(deps.db, now)
  const { bundle_pack_discount_pct, packs_require_subscription, popular_window_days } = settings
  const offers = await readOffers(deps.db, accountId, { now, popular_window_days })
  return { ...offers, now, bundle_pack_discount_pct, packs_require_subscription }
}

/**
 * Quotes a term of a plan. Throws 404 for a plan that is not on sale and 400 for a term that is not sold
 * (Contract: Purchase rule 2).
 */
export function quotePlan({ plans, now }: PricedOffers, planId: number, months: number): PlanQuote {
  const plan = plans.find(({ id }) => id === planId)
  if (plan === undefined) throw new ApiError('plan_not_found')
  const term = plan.terms.find((candidate) => candidate.months === months)
  if (term !== undefined) return priceTerm(plan, term, now)
  const offered = plan.terms.map((each) => each.months)
  throw new ApiError('months_not_offered', { plan: plan.name, offered, months })
}

/** Quotes a pack without a plan. Throws 404 for a pack that is not on sale. */
export function quotePack(offers: PricedOffers, packageId: number): PackQuote {
  return pricePack(findPack(offers, packageId), 0, offers.now)
}

export interface BundleQuote {
  plan: PlanQuote
  pack: PackQuote
  total_cents: number
}

/**
 * Quotes months of a plan together with a pack. The bundle discount applies only to the pack. Throws like quotePlan
 * and quotePack.
 */
export function quoteBundle(
  offers: PricedOffers,
  item: { plan_id: number; package_id: number; months: number },
): BundleQuote {
  const plan = quotePlan(offers, item.plan_id, item.months)
  const pack = pricePack(findPack(offers, item.package_id), offers.bundle_pack_discount_pct, offers.now)
  return { plan, pack, total_cents: plan.charge_cents + pack.charge_cents }
}

function findPack({ packages }: PricedOffers, packageId: number) {
  const pack = packages.find(({ id }) => id === packageId)
  if (pack === undefined) throw new ApiError('package_not_found')
  return pack
}
