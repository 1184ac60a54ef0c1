import { eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import type { StoredSubscription } from '../subscriptions/term-queries.ts'
import { subscriptionMoves, subscriptions } from '../tables.ts'
import { makeLinkToken } from '../upload-links/link-token.ts'
import { lockPriceStatement, type StoredOrder } from './queries.ts'

/** The charge that a mandate brings next, and the token of the link that cancels it. */
export interface NextCharge {
  at: number
  amount_cents: number
  cancel_token: string | null
}

/** @param running the term that the order extends, as it is from now on; null where it opens one. */
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
 * Two checkouts with renewal may both be paid: the second one's mandate must not charge for what nobody keeps.
 * @returns the mandate that the payment set up, where no term is renewed by it.
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
 * Of two changes to a term at once only one commits: both write the term's next move. A renewal writes a
 * move of its own in the same commit, and none is written here.
 */
export function extendTermStatements(
  db: Database,
  order: StoredOrder,
  { id, moves, renewalStatus }: StoredSubscription,
  period_end: number,
  now: number,
): Statement[] {
  const isTerm = eq(subscriptions.id, id)
  if (order.renewalOf !== null) return [db.update(subscriptions).set({ periodEnd: period_end }).where(isTerm)]
  return [
    db.insert(subscriptionMoves).values({
      subscriptionId: id,
      number: moves + 1,
      renewalStatus,
      reason: `order:${order.id}`,
      createdAt: now,
    }),
    db
      .update(subscriptions)
      .set({ periodEnd: period_end, moves: moves + 1 })
      .where(isTerm),
  ]
}

export function stateOf(subscription: StoredSubscription | null) {
  if (subscription === null) return null
  const { renewalStatus, periodEnd, graceUntil } = subscription
  return { renewal_status: renewalStatus, period_end: periodEnd, grace_until: graceUntil }
}

/**
 * What a mandate will be charged is frozen here: what the first order charged.
 * Contract: Subscriptions, Term record.
 */
export function openTermStatements(
  db: Database,
  order: StoredOrder,
  id: string,
  { mandate, period_end, charge }: { mandate: string | null; period_end: number; charge: NextCharge | null },
  now: number,
): Statement[] {
  if (order.planId === null) throw new Error(`the order ${order.id} is for no plan`)
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
    db.insert(subscriptionMoves).values({
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
