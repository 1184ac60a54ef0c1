import { chargedFields } from '../orders/charged-fields.ts'
import { drawOrderId } from '../orders/new-order.ts'
import type { StoredOrder } from '../orders/queries.ts'
import type { RenewalEvent } from '../payments/provider.ts'
import type { StoredSubscription } from './term-queries.ts'

interface Origin {
  /** The order that opened the term and created its mandate. */
  order: StoredOrder
  plan: { periodCredits: number }
}

/**
 * Builds the order for a successful charge. It has the contents of the first order, with the documents that were
 * accepted then, and the amount charged.
 */
export function makeRenewalOrder(
  { id, renewalMonths, renewalAmountCents }: StoredSubscription,
  { order: first, plan }: Origin,
  { amount_cents, currency, reference, charged }: RenewalEvent,
  { now, occurred_at }: { now: number; occurred_at: number },
): StoredOrder {
  const months = renewalMonths ?? first.months ?? 1
  // Applies the price lock: the higher of the first order's allowance and the plan's current one.
  const creditsPerMonth = Math.max(first.creditsPerMonth ?? 0, plan.periodCredits)
  const amountCents = amount_cents > 0 ? amount_cents : (renewalAmountCents ?? first.amountCents)
  return {
    ...first,
    id: drawOrderId(),
    status: 'paid',
    transitions: 1,
    packageId: null,
    credits: months * creditsPerMonth,
    months,
    creditsPerMonth,
    extendsTerm: true,
    bundleItemName: null,
    bundleCredits: null,
    bundleAmountCents: null,
    bundleDiscountPct: null,
    amountCents,
    currency,
    actuallyPaidCents: amount_cents,
    refusedCents: 0,
    undeliveredCents: 0,
    surplusCreditedCents: 0,
    ...chargedFields(charged),
    autoRenew: false,
    renewalOf: id,
    providerReference: reference,
    redirectUrl: null,
    createdAt: occurred_at,
    creditedAt: now,
    nextPollAt: null,
    polls: 0,
  }
}
