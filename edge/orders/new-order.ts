import type { Locale } from '../../shared/text/texts.ts'
import { type AcceptedDocument, termsVersionOf } from '../legal/rules/documents.ts'
import type { PackQuote, PlanQuote } from '../offers/rules/prices.ts'
import { chargedFields } from './charged-fields.ts'
import type { StoredOrder } from './queries.ts'
import { makeOrderId, ORDER_ID_BYTES } from './rules/order-id.ts'
import { pollPauseMs } from './rules/polling.ts'

/** The items of a purchase, at the prices charged for them. */
export interface PricedPurchase {
  plan: PlanQuote | null
  pack: PackQuote | null
}

type Frozen = Pick<
  StoredOrder,
  | 'kind'
  | 'planId'
  | 'packageId'
  | 'itemName'
  | 'credits'
  | 'months'
  | 'creditsPerMonth'
  | 'periodDays'
  | 'monthlyRateCents'
  | 'bundleItemName'
  | 'bundleCredits'
  | 'bundleAmountCents'
  | 'bundleDiscountPct'
  | 'amountCents'
  | 'currency'
>

const NO_BUNDLE = {
  bundleItemName: null,
  bundleCredits: null,
  bundleAmountCents: null,
  bundleDiscountPct: null,
}

/** Returns the fixed amounts of an order, which later price changes do not affect. */
export function freezePurchase({ plan, pack }: PricedPurchase): Frozen {
  if (plan === null) {
    if (pack === null) throw new Error('the order has no items')
    return {
      ...NO_BUNDLE,
      kind: 'package',
      planId: null,
      packageId: pack.package_id,
      itemName: pack.item_name,
      credits: pack.credits,
      months: null,
      creditsPerMonth: null,
      periodDays: null,
      monthlyRateCents: null,
      amountCents: pack.charge_cents,
      currency: pack.currency,
    }
  }
  return {
    kind: 'subscription',
    planId: plan.plan_id,
    packageId: pack?.package_id ?? null,
    itemName: plan.item_name,
    credits: plan.credits_total,
    months: plan.months,
    creditsPerMonth: plan.credits_per_month,
    periodDays: plan.period_days,
    monthlyRateCents: plan.monthly_rate_cents,
    ...(pack === null ? NO_BUNDLE : freezeBundle(pack)),
    amountCents: plan.charge_cents + (pack?.charge_cents ?? 0),
    currency: plan.currency,
  }
}

function freezeBundle(pack: PackQuote) {
  return {
    bundleItemName: pack.item_name,
    bundleCredits: pack.credits,
    bundleAmountCents: pack.charge_cents,
    bundleDiscountPct: pack.discount_pct,
  }
}

export interface OrderTerms {
  accountId: number
  provider: string
  extendsTerm: boolean
  autoRenew: boolean
  consentLocale: Locale | null
  acceptedDocuments: AcceptedDocument[]
  now: number
}

/** Creates an open order. If no event arrives, its provider is polled. */
export function makeOrder(purchase: PricedPurchase, { now, ...terms }: OrderTerms): StoredOrder {
  return {
    ...freezePurchase(purchase),
    ...terms,
    id: drawOrderId(),
    status: 'waiting',
    transitions: 1,
    actuallyPaidCents: 0,
    refusedCents: 0,
    undeliveredCents: 0,
    surplusCreditedCents: 0,
    ...chargedFields(null),
    renewalOf: null,
    termsVersion: termsVersionOf(terms.acceptedDocuments),
    providerReference: null,
    redirectUrl: null,
    createdAt: now,
    creditedAt: null,
    nextPollAt: now + pollPauseMs(0),
    polls: 0,
  }
}

export function drawOrderId(): string {
  return makeOrderId(crypto.getRandomValues(new Uint8Array(ORDER_ID_BYTES)))
}

/** Describes the purchase for the checkout page. */
export function describeOrder({ itemName, months, bundleItemName }: StoredOrder): string {
  const item = months === null ? itemName : `${itemName}, ${months} ${months === 1 ? 'month' : 'months'}`
  return bundleItemName === null ? item : `${item} + ${bundleItemName}`
}
