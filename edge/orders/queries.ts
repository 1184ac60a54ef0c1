import { and, count, desc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import {
  accounts,
  orderMoves,
  orders,
  paymentEvents,
  priceLocks,
  subscriptions,
  termMonths,
} from '../tables.ts'
import { canMoveOrder, type OrderState } from './rules/states.ts'

export type StoredOrder = typeof orders.$inferSelect

export function orderQuery(db: Database, id: string) {
  return db.select().from(orders).where(eq(orders.id, id))
}

export async function findOrder(db: Database, id: string): Promise<StoredOrder | undefined> {
  const [order] = await orderQuery(db, id)
  return order
}

interface Page {
  limit: number
  offset: number
}

/** An account's orders, the newest first. */
export function listOrders(db: Database, accountId: number, { limit, offset }: Page): Promise<StoredOrder[]> {
  return db
    .select()
    .from(orders)
    .where(eq(orders.accountId, accountId))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
    .offset(offset)
}

/** The orders of all accounts with their addresses, the newest first. */
export function listPayments(
  db: Database,
  { limit, offset, status }: Page & { status?: OrderState | undefined },
) {
  return db
    .select({ order: orders, email: accounts.email })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(status && eq(orders.status, status))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
    .offset(offset)
}

/** How many of an account's orders wait to be paid. */
export function waitingOrdersQuery(db: Database, accountId: number) {
  return db
    .select({ total: count() })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, 'waiting')))
}

export function insertOrderStatements(db: Database, order: StoredOrder): Statement[] {
  return [
    db.insert(orders).values(order),
    db
      .insert(orderMoves)
      .values({ orderId: order.id, number: order.moves, status: order.status, createdAt: order.createdAt }),
  ]
}

/** What changes of an order besides its state. */
export type OrderFields = Partial<
  Pick<StoredOrder, 'creditedAt' | 'extendsTerm' | 'nextPollAt' | 'polls' | 'refusedCents'>
>

/**
 * Moves an order on. Of two moves that start from the same state only one commits; the other loses the
 * race. Throws for a move that there is none of.
 */
export function moveOrderStatements(
  db: Database,
  order: StoredOrder,
  status: OrderState,
  fields: OrderFields,
  now: number,
): Statement[] {
  if (!canMoveOrder(order.status, status)) {
    throw new Error(`an order cannot go from ${order.status} to ${status}`)
  }
  const number = order.moves + 1
  return [
    db.insert(orderMoves).values({ orderId: order.id, number, status, createdAt: now }),
    db
      .update(orders)
      .set({ ...fields, status, moves: number })
      .where(eq(orders.id, order.id)),
  ]
}

export function changeOrderStatement(db: Database, id: string, fields: OrderFields): Statement {
  return db.update(orders).set(fields).where(eq(orders.id, id))
}

/**
 * Notes what was told of an order's payment. Money that was seen never becomes less, and the provider's
 * first name for the payment stays.
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

/** Where the person is to pay, once the provider has said. */
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
 * Takes orders whose provider is to be asked, and puts their next turn off, so that who runs beside this
 * one takes others. @param pauseMs the pause after so many questions.
 */
export async function takeDueOrders(
  db: Database,
  now: number,
  limit: number,
  pauseMs: (polls: number) => number,
): Promise<StoredOrder[]> {
  const due = await db
    .select()
    .from(orders)
    .where(lte(orders.nextPollAt, now))
    .orderBy(orders.nextPollAt)
    .limit(limit)
  const taken = await Promise.all(
    due.map((order) =>
      db
        .update(orders)
        .set({ polls: order.polls + 1, nextPollAt: now + pauseMs(order.polls) })
        .where(and(eq(orders.id, order.id), sql`${orders.nextPollAt} = ${order.nextPollAt}`))
        .returning(),
    ),
  )
  return taken.flat()
}

/** Ends the questions about an order, unless it was heard of since it was taken for one. */
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

/** A callback that was taken; a second one of the same name loses the race. */
export function rememberEventStatement(db: Database, event: typeof paymentEvents.$inferInsert): Statement {
  return db.insert(paymentEvents).values(event)
}

/** The term of an account that was not closed, as it is stored. */
export function openSubscriptionQuery(db: Database, accountId: number) {
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), isNull(subscriptions.endedAt)))
}

/** All months of the term that was not closed, those that were withdrawn too: their numbers are taken. */
export function openTermMonthsQuery(db: Database, accountId: number) {
  return db
    .select({ month: termMonths })
    .from(termMonths)
    .innerJoin(subscriptions, eq(subscriptions.id, termMonths.subscriptionId))
    .where(and(eq(subscriptions.accountId, accountId), isNull(subscriptions.endedAt)))
    .orderBy(termMonths.number)
}

/** The first price paid for a plan stays the account's. Contract: Purchases, Price lock. */
export function lockPriceStatement(db: Database, lock: typeof priceLocks.$inferInsert): Statement {
  return db.insert(priceLocks).values(lock).onConflictDoNothing()
}
