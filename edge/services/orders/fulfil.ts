import { eq } from 'drizzle-orm'
import type { Database, Statement } from '../../db/client.ts'
import { creditsFrom, creditsQueries } from '../../db/credits.ts'
import {
  lockPriceStatement,
  openSubscriptionQuery,
  openTermMonthsQuery,
  type StoredOrder,
} from '../../db/orders.ts'
import { type Effect, effectStatement } from '../../db/outbox.ts'
import { accounts, subscriptionMoves, subscriptions } from '../../db/schema.ts'
import { insertMonthStatements, type StoredSubscription, toTermMonth } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import type { Change, Credits } from '../../rules/ledger.ts'
import { type Bought, boughtBy, deliverPurchase, type TermToExtend } from '../../rules/orders-delivery.ts'
import { isRunning } from '../../rules/terms.ts'
import { closeTermStatements } from '../subscriptions/close.ts'
import { endMandateEffect } from '../subscriptions/mandate.ts'
import { orderLetterEffect } from './letter.ts'

/** What delivering an order goes by, besides the order itself. */
export interface DeliveryFacts {
  email: string
  /** The term that was not closed, running or not. */
  subscription: StoredSubscription | null
  term: TermToExtend | null
}

/** The queries whose answers `deliveryFactsFrom` puts together. */
export function deliveryQueries(db: Database, accountId: number) {
  return [
    db.select({ email: accounts.email }).from(accounts).where(eq(accounts.id, accountId)),
    openSubscriptionQuery(db, accountId),
    openTermMonthsQuery(db, accountId),
  ] as const
}

type Answers<Queries extends readonly PromiseLike<unknown>[]> = {
  -readonly [Index in keyof Queries]: Awaited<Queries[Index]>
}

export function deliveryFactsFrom([own, open, months]: Answers<
  ReturnType<typeof deliveryQueries>
>): DeliveryFacts {
  const subscription = open[0] ?? null
  return {
    email: own[0]?.email ?? '',
    subscription,
    term: subscription && {
      id: subscription.id,
      months: months.flatMap(({ month }) => (month.withdrawnBy === null ? [toTermMonth(month)] : [])),
      last_number: Math.max(0, ...months.map(({ month }) => month.number)),
    },
  }
}

/** An account's credits and what a delivery goes by, in one round trip. */
export async function loadDelivery({ db }: Deps, accountId: number, grants_max?: number) {
  const [own, open, months, ...credits] = await db.batch([
    ...deliveryQueries(db, accountId),
    ...creditsQueries(db, accountId, grants_max),
  ])
  return {
    delivery: deliveryFactsFrom([own, open, months]),
    loaded: creditsFrom(accountId, credits, grants_max),
  }
}

export interface DeliveredOrder {
  change: Change
  statements: Statement[]
  /** What is to be carried out after the commit: the letter. They are in `statements` as well. */
  effects: Effect[]
  /** The term that months were added to, or that was opened; null for a pack. */
  subscription_id: string | null
  /** When that term ends now. */
  period_end: number | null
  extended: boolean
}

interface Payment {
  /** The mandate that the payment set up or was charged by. */
  mandate: string | null
  paid_cents: number
  /** Where less was paid and an administrator lets that much count. */
  bought?: Bought
}

/**
 * All of "an order is paid" but the order's own row: the pack, the months and their term, the price lock
 * and the letter, as one change of credits and the statements of its commit. Purchase rules 1 and 4.
 * A term that opens renews itself where the order said so and a mandate is held.
 * Where a term runs the months go behind it, whatever its plan: two checkouts of different plans that were
 * both open may both be paid, and what was paid for is given.
 */
export function deliverOrder(
  deps: Deps,
  order: StoredOrder,
  { email, subscription, term }: DeliveryFacts,
  settled: Credits,
  now: number,
  payment: Payment,
): DeliveredOrder {
  const { db } = deps
  const bought = payment.bought ?? boughtBy(order)
  const running = isRunning(stateOf(subscription), now) ? term : null
  const target = running ?? { id: crypto.randomUUID(), months: [], last_number: 0 }
  const { change, months, period_end } = deliverPurchase(settled, bought, target, now)
  const letter = orderLetterEffect(deps, order, bought, {
    ...payment,
    email,
    period_end,
    renewal: nextCharge(order, running && subscription, payment.mandate, period_end),
    now,
  })
  const effects = [
    ...(letter === null ? [] : [letter]),
    ...endUnusedMandate(order, running && subscription, payment.mandate),
  ]
  const outbox = effects.map((effect) => effectStatement(db, effect, now))
  if (period_end === null) {
    return { change, statements: outbox, effects, subscription_id: null, period_end, extended: false }
  }
  const owner = { id: target.id, accountId: order.accountId }
  const termStatements =
    running && subscription
      ? extendTermStatements(db, order, subscription, period_end, now)
      : [
          ...(subscription === null ? [] : closeTermStatements(deps, subscription, now)),
          ...openTermStatements(db, order, target.id, { mandate: payment.mandate, period_end }, now),
        ]
  return {
    change,
    statements: [
      ...termStatements,
      ...insertMonthStatements(db, owner, months),
      ...lockStatements(db, order, now),
      ...outbox,
    ],
    effects,
    subscription_id: target.id,
    period_end,
    extended: running !== null,
  }
}

/** @param running the term that the order extends, as it is from now on; null where it opens one. */
function nextCharge(
  order: StoredOrder,
  running: StoredSubscription | null,
  mandate: string | null,
  period_end: number | null,
): { at: number; amount_cents: number } | null {
  if (period_end === null) return null
  if (running === null) {
    return order.autoRenew && mandate !== null ? { at: period_end, amount_cents: order.amountCents } : null
  }
  const amount_cents = running.renewalAmountCents ?? order.amountCents
  return running.renewsAt === null ? null : { at: running.renewsAt, amount_cents }
}

/** Two checkouts with renewal may both be paid: the second one's mandate must not charge for what nobody keeps. */
function endUnusedMandate(
  order: StoredOrder,
  running: StoredSubscription | null,
  mandate: string | null,
): Effect[] {
  const isKept = running === null ? order.autoRenew : running.mandate === mandate
  if (mandate === null || isKept) return []
  return [endMandateEffect({ provider: order.provider, mandate })]
}

/**
 * Of two changes to a term at once only one commits: both write the term's next move. A renewal writes a
 * move of its own in the same commit, and none is written here.
 */
function extendTermStatements(
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

function stateOf(subscription: StoredSubscription | null) {
  if (subscription === null) return null
  const { renewalStatus, periodEnd, graceUntil } = subscription
  return { renewal_status: renewalStatus, period_end: periodEnd, grace_until: graceUntil }
}

/** What a mandate will be charged is frozen here: what the first order charged. Specification: Subscription. */
function openTermStatements(
  db: Database,
  order: StoredOrder,
  id: string,
  { mandate, period_end }: { mandate: string | null; period_end: number },
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

function lockStatements(db: Database, order: StoredOrder, now: number): Statement[] {
  const { accountId, planId, monthlyRateCents, creditsPerMonth } = order
  if (planId === null || monthlyRateCents === null || creditsPerMonth === null) return []
  return [lockPriceStatement(db, { accountId, planId, monthlyRateCents, creditsPerMonth, lockedAt: now })]
}
