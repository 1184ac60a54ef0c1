import { eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import type { StoredSubscription } from '../subscriptions/term-queries.ts'
import { subscriptions, subscriptionTransitions } from '../tables.ts'
import { makeLinkToken } from '../upload-links/link-token.ts'
import { lockPriceStatement, type StoredOrder } from './queries.ts'

/** A mandate's next charge, and the token of the link that cancels it. */
export interface NextCharge {
  at: number
  amount_cents: number
  cancel_token: string | null
}

/**
 * Returns the next charge after an order, or null if there is none.
 * @param running the term that the order extends; null for a new term.
 */
export function nextCharge(
  order: StoredOrder,
  running: StoredSubscription | null,
  mandate: string | null,
  period_end: number | null,
): NextCharge | null {
  if (period_end === null) return null
  if (running === null) {
    if (!order.autoRenew || mandate === null) return null
    return { at: period_end, amount_cents: order.amountCents, cancel_token: makeLinkToken() }
  }
  const { renewsAt, renewalAmountCents, cancelToken } = running
  if (renewsAt === null) return null
  return { at: renewsAt, amount_cents: renewalAmountCents ?? order.amountCents, cancel_token: cancelToken }
}

/**
 * Returns the mandate that the payment created if it does not renew a term, so it can be ended. If two checkouts
 * with renewal are both paid, only one may charge again.
 */
export function findUnusedMandate(
  order: StoredOrder,
  running: StoredSubscription | null,
  mandate: string | null,
): string | null {
  const isKept = running === null ? order.autoRenew : running.mandate === mandate
  return isKept ? null : mandate
}

/**
 * Returns statements that extend a term. A transition serializes concurrent changes, because only one can commit. A
 * renewal needs none here: it writes its own transition in the same commit.
 */
export function extendTermStatements(
  db: Database,
  order: StoredOrder,
  { id, transitions, renewalStatus }: StoredSubscription,
  period_end: number,
  now: number,
): Statement[] {
  const isTerm = eq(subscriptions.id, id)
  if (order.renewalOf !== null) return [db.update(subscriptions).set({ periodEnd: period_end }).where(isTerm)]
  return [
    db.insert(subscriptionTransitions).values({
      subscriptionId: id,
      number: transitions + 1,
      renewalStatus,
      reason: `order:${order.id}`,
      createdAt: now,
    }),
    db
      .update(subscriptions)
      .set({ periodEnd: period_end, transitions: transitions + 1 })
      .where(isTerm),
  ]
}

export function stateOf(subscription: StoredSubscription | null) {
  if (subscription === null) return null
  const { renewalStatus, periodEnd, graceUntil } = subscription
  return { renewal_status: renewalStatus, period_end: periodEnd, grace_until: graceUntil }
}

/**
 * Returns statements that open a term. Future charges are fixed at the amount of this first order.
 * Contract: Subscriptions, Term record.
 */
export function openTermStatements(
  db: Database,
  order: StoredOrder,
  id: string,
  { mandate, period_end, charge }: { mandate: string | null; period_end: number; charge: NextCharge | null },
  now: number,
): Statement[] {
  if (order.planId === null) throw new Error(`the order ${order.id} has no plan`)
  const renewalStatus = order.autoRenew && mandate !== null ? 'active' : 'off'
  const renewal = renewalStatus === 'active' ? order : null
  return [
    db.insert(subscriptions).values({
      id,
      accountId: order.accountId,
      planId: order.planId,
      startedAt: now,
      periodEnd: period_end,
      renewalStatus,
      provider: order.provider,
      mandate,
      renewalAmountCents: renewal?.amountCents ?? null,
      renewalCurrency: renewal?.currency ?? null,
      renewalMonths: renewal?.months ?? null,
      renewsAt: renewal && period_end,
      cancelToken: charge?.cancel_token ?? null,
      consentLocale: order.consentLocale,
    }),
    db.insert(subscriptionTransitions).values({
      subscriptionId: id,
      number: 1,
      renewalStatus,
      reason: `order:${order.id}`,
      createdAt: now,
    }),
  ]
}

export function lockStatements(db: Database, order: StoredOrder, now: number): Statement[] {
  const { accountId, planId, monthlyRateCents, creditsPerMonth } = order
  if (planId === null || monthlyRateCents === null || creditsPerMonth === null) return []
  return [lockPriceStatement(db, { accountId, planId, monthlyRateCents, creditsPerMonth, lockedAt: now })]
}
