import { and, count, desc, eq, exists, inArray, isNull, lte, sql } from 'drizzle-orm'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { orders, orderTransitions, paymentEvents, priceLocks, subscriptions, termMonths } from '../tables.ts'
import { canTransitionOrder, type OrderState } from './rules/states.ts'

export type StoredOrder = typeof orders.$inferSelect

export function orderQuery(db: Database, id: string) {
  return db.select().from(orders).where(eq(orders.id, id))
}

export async function findOrder(db: Database, id: string): Promise<StoredOrder | undefined> {
  const [order] = await orderQuery(db, id)
  return order
}

/** Counts the unpaid open orders of an account. */
export function waitingOrdersQuery(db: Database, accountId: number) {
  return db
    .select({ total: count() })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, 'waiting')))
}

const UNPAID_MAX = 500

/**
 * Selects the orders of an account that were not paid, and whose checkouts may still be open at the provider. Those that
 * are waiting are first, because an account cannot be deleted while it has one.
 */
export function unpaidOrdersQuery(db: Database, accountId: number) {
  return db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        inArray(orders.status, ['waiting', 'expired', 'failed']),
        isNull(orders.creditedAt),
      ),
    )
    .orderBy(desc(eq(orders.status, 'waiting')), desc(orders.createdAt))
    .limit(UNPAID_MAX)
}

export function insertOrderStatements(db: Database, order: StoredOrder): Statement[] {
  return [
    db.insert(orders).values(order),
    db.insert(orderTransitions).values({
      orderId: order.id,
      number: order.transitions,
      status: order.status,
      createdAt: order.createdAt,
    }),
  ]
}

/** Fields that a transition changes in addition to the state. */
export type OrderFields = Partial<
  Pick<
    StoredOrder,
    | 'creditedAt'
    | 'extendsTerm'
    | 'nextPollAt'
    | 'polls'
    | 'refusedCents'
    | 'undeliveredCents'
    | 'surplusCreditedCents'
    | 'totalCents'
    | 'taxCents'
    | 'totalCurrency'
  >
>

/**
 * Returns the statements for a state transition. If two transitions from the same state run concurrently, only one
 * commits; the other loses the race. Throws for an invalid transition.
 */
export function orderTransitionStatements(
  db: Database,
  order: StoredOrder,
  status: OrderState,
  fields: OrderFields,
  now: number,
): Statement[] {
  if (!canTransitionOrder(order.status, status)) {
    throw new Error(`an order cannot go from ${order.status} to ${status}`)
  }
  const number = order.transitions + 1
  return [
    db.insert(orderTransitions).values({ orderId: order.id, number, status, createdAt: now }),
    db
      .update(orders)
      .set({ ...fields, status, transitions: number })
      .where(eq(orders.id, order.id)),
  ]
}

export function changeOrderStatement(db: Database, id: string, fields: OrderFields): Statement {
  return db.update(orders).set(fields).where(eq(orders.id, id))
}

/**
 * Records what a provider reported about a payment. The received amount never decreases, and the first provider
 * reference is never replaced.
 */
export function notePaymentStatement(
  db: Database,
  id: string,
  { paid_cents, reference }: { paid_cents: number; reference: string | null },
): Statement {
  return db
    .update(orders)
    .set({
      actuallyPaidCents: sql`max(${orders.actuallyPaidCents}, ${paid_cents})`,
      providerReference: sql`coalesce(${orders.providerReference}, ${reference})`,
    })
    .where(eq(orders.id, id))
}

/** Makes the commit fail as a lost race if the order has changed its state or money, which its receipts add up to. */
export function sameMoneyGuard(db: Database, order: StoredOrder): Statement {
  const { id, transitions, actuallyPaidCents, refusedCents, surplusCreditedCents } = order
  const same = db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.id, id),
        eq(orders.transitions, transitions),
        eq(orders.actuallyPaidCents, actuallyPaidCents),
        eq(orders.refusedCents, refusedCents),
        eq(orders.surplusCreditedCents, surplusCreditedCents),
      ),
    )
  return guardStatement(db, exists(same))
}

/** Makes the commit fail as a lost race if the order has changed its state. */
export function sameStateGuard(db: Database, { id, transitions }: StoredOrder): Statement {
  const same = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.transitions, transitions)))
  return guardStatement(db, exists(same))
}

/** Stores the checkout URL after the provider returns it. */
export function openedStatement(
  db: Database,
  id: string,
  { reference, redirect_url }: { reference: string; redirect_url: string },
): Statement {
  return db
    .update(orders)
    .set({ providerReference: reference, redirectUrl: redirect_url })
    .where(eq(orders.id, id))
}

/**
 * Claims orders that are due for polling and schedules their next poll, so a concurrent run cannot claim the same
 * ones.
 * @param pauseMs returns the pause after a given number of polls.
 */
export async function claimDueOrders(
  db: Database,
  now: number,
  limit: number,
  pauseMs: (polls: number) => number,
): Promise<StoredOrder[]> {
  const due = await db
    .select()
    .from(orders)
    .where(and(lte(orders.nextPollAt, now), isNotMoving(orders.accountId)))
    .orderBy(orders.nextPollAt)
    .limit(limit)
  const claimed = await Promise.all(
    due.map((order) =>
      db
        .update(orders)
        .set({ polls: order.polls + 1, nextPollAt: now + pauseMs(order.polls) })
        .where(and(eq(orders.id, order.id), sql`${orders.nextPollAt} = ${order.nextPollAt}`))
        .returning(),
    ),
  )
  return claimed.flat()
}

/** Stops polling an order unless an event has arrived since it was claimed. */
export function stopPollingStatement(db: Database, id: string, polls: number): Statement {
  return db
    .update(orders)
    .set({ nextPollAt: null })
    .where(and(eq(orders.id, id), eq(orders.polls, polls)))
}

export function paymentEventQuery(db: Database, provider: string, id: string) {
  return db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.provider, provider), eq(paymentEvents.id, id)))
}

/** Records a handled event. If the id is already recorded, the commit loses the race. */
export function rememberEventStatement(db: Database, event: typeof paymentEvents.$inferInsert): Statement {
  return db.insert(paymentEvents).values(event)
}

/** Selects the row of an account's open term. */
export function openSubscriptionQuery(db: Database, accountId: number) {
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), isNull(subscriptions.endedAt)))
}

/** Selects all months of the open term. Withdrawn months are included because their numbers are never reused. */
export function openTermMonthsQuery(db: Database, accountId: number) {
  return db
    .select({ month: termMonths })
    .from(termMonths)
    .innerJoin(subscriptions, eq(subscriptions.id, termMonths.subscriptionId))
    .where(and(eq(subscriptions.accountId, accountId), isNull(subscriptions.endedAt)))
    .orderBy(termMonths.number)
}

/** Locks in the first price that an account paid for a plan. Contract: Purchases, Price lock. */
export function lockPriceStatement(db: Database, lock: typeof priceLocks.$inferInsert): Statement {
  return db.insert(priceLocks).values(lock).onConflictDoNothing()
}
