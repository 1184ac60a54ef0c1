import { and, desc, eq, gte, inArray, isNotNull, isNull, lte, sql, sum } from 'drizzle-orm'
import { grantAllocationsQuery } from '../credits/grant-allocation-query.ts'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { LISTED_RECEIPT } from '../receipts/queries.ts'
import type { TermMonth } from '../subscriptions/rules/terms.ts'
import {
  accounts,
  allocations,
  grants,
  ledger,
  orders,
  receipts,
  refunds,
  refundTransitions,
  subscriptions,
  termMonths,
} from '../tables.ts'
import { canTransitionRefund, type RefundState } from './rules/refunds.ts'

export type StoredRefund = typeof refunds.$inferSelect

/** Selects the facts for refunding an order in one batch. Selects nothing if the order belongs to another account. */
export function refundQueries(db: Database, accountId: number, orderId: string) {
  return [
    db
      .select()
      .from(orders)
      .where(and(eq(orders.id, orderId), eq(orders.accountId, accountId))),
    db
      .select({ sequence: grants.sequence, kind: grants.kind, amount: grants.amount, left: grants.left })
      .from(ledger)
      .innerJoin(grants, and(eq(grants.accountId, ledger.accountId), eq(grants.sequence, ledger.sequence)))
      .where(and(eq(ledger.orderId, orderId), eq(ledger.accountId, accountId))),
    spentQuery(db, accountId, orderId),
    db.select().from(termMonths).where(eq(termMonths.orderId, orderId)).orderBy(termMonths.number),
    // Also filters by account, because the only index on `order_id` covers just open refunds.
    db
      .select()
      .from(refunds)
      .where(and(eq(refunds.accountId, accountId), eq(refunds.orderId, orderId))),
    db
      .select({ subscription: subscriptions, month: termMonths })
      .from(termMonths)
      .innerJoin(subscriptions, eq(subscriptions.id, termMonths.subscriptionId))
      .where(
        and(
          eq(subscriptions.accountId, accountId),
          isNull(subscriptions.endedAt),
          isNull(termMonths.withdrawnBy),
        ),
      )
      .orderBy(termMonths.number),
  ] as const
}

/** Selects the paid orders of an account that were credited since a time. */
export function refundableOrdersQuery(db: Database, accountId: number, since: number) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        inArray(orders.status, ['paid', 'partially_refunded']),
        gte(orders.creditedAt, since),
      ),
    )
    .orderBy(orders.creditedAt)
}

/** Selects the credits that jobs spent from an order's grants, net of refunds. */
function spentQuery(db: Database, accountId: number, orderId: string) {
  const made = db
    .select({ sequence: ledger.sequence })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), eq(ledger.accountId, accountId)))
  return db
    .select({ spent: sum(allocations.amount).mapWith((total) => -Number(total)) })
    .from(allocations)
    .innerJoin(
      ledger,
      and(eq(ledger.accountId, allocations.accountId), eq(ledger.sequence, allocations.sequence)),
    )
    .where(
      and(
        eq(allocations.accountId, accountId),
        inArray(allocations.grantSequence, made),
        isNotNull(ledger.jobId),
      ),
    )
}

export function insertRefundStatements(db: Database, refund: StoredRefund): Statement[] {
  return [
    db.insert(refunds).values(refund),
    db.insert(refundTransitions).values({
      refundId: refund.id,
      number: refund.transitions,
      status: refund.status,
      createdAt: refund.createdAt,
    }),
  ]
}

/**
 * Changes the state of a refund. Only one of two transitions from the same state commits. Throws if the transition
 * is invalid.
 */
export function refundTransitionStatements(
  db: Database,
  refund: StoredRefund,
  status: RefundState,
  fields: Partial<Omit<StoredRefund, 'id' | 'orderId' | 'accountId' | 'status' | 'moves'>>,
  now: number,
): Statement[] {
  if (!canTransitionRefund(refund.status, status)) {
    throw new Error(`a refund cannot go from ${refund.status} to ${status}`)
  }
  const number = refund.transitions + 1
  return [
    db.insert(refundTransitions).values({ refundId: refund.id, number, status, createdAt: now }),
    db
      .update(refunds)
      .set({ ...fields, status, transitions: number })
      .where(eq(refunds.id, refund.id)),
  ]
}

/** Selects a refund with its order, owner and credit note. */
export function refundQuery(db: Database, id: string) {
  return db
    .select({ refund: refunds, order: orders, account: accounts, creditNote: LISTED_RECEIPT })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .innerJoin(accounts, eq(accounts.id, refunds.accountId))
    .leftJoin(receipts, eq(receipts.refundId, refunds.id))
    .where(eq(refunds.id, id))
}

/** Returns a subquery for the order of a refund. */
function orderOf(db: Database, refundId: string) {
  return db.select({ id: refunds.orderId }).from(refunds).where(eq(refunds.id, refundId))
}

/** Selects how much of a refund's order has already been refunded. */
export function refundedQuery(db: Database, refundId: string, accountId: number) {
  return db
    .select({ cents: sum(refunds.amountCents).mapWith(Number) })
    .from(refunds)
    .where(
      and(
        eq(refunds.accountId, accountId),
        inArray(refunds.orderId, orderOf(db, refundId)),
        eq(refunds.status, 'succeeded'),
      ),
    )
}

/**
 * Finds the refund that a provider event refers to, by our id if the event contains it, and otherwise by the
 * provider's reference.
 */
export function reportedRefundQuery(
  db: Database,
  provider: string,
  { reference, refund_id }: { reference: string; refund_id: string | null },
) {
  return db
    .select({ id: refunds.id, accountId: refunds.accountId })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(
      and(
        eq(orders.provider, provider),
        refund_id === null ? eq(refunds.providerReference, reference) : eq(refunds.id, refund_id),
      ),
    )
}

/** Selects the current grants from which the request removed credits, with the removed amounts. */
export function removedQuery(db: Database, accountId: number, refundId: string) {
  return grantAllocationsQuery(
    db,
    and(eq(ledger.accountId, accountId), eq(ledger.cause, removalCause(refundId))),
  )
}

/** Returns the cause of the ledger entry that a refund request writes. */
export function removalCause(refundId: string): string {
  return `refund:${refundId}:removed`
}

export function listRefunds(
  db: Database,
  {
    accountId,
    status,
    limit,
    offset,
  }: {
    accountId?: number
    status?: RefundState | undefined
    limit: number
    offset: number
  },
) {
  return db
    .select({
      refund: refunds,
      email: sql<string>`coalesce(${refunds.email}, ${accounts.email})`,
      creditNote: LISTED_RECEIPT,
    })
    .from(refunds)
    .innerJoin(accounts, eq(accounts.id, refunds.accountId))
    .leftJoin(receipts, eq(receipts.refundId, refunds.id))
    .where(
      and(
        accountId === undefined ? undefined : eq(refunds.accountId, accountId),
        status && eq(refunds.status, status),
      ),
    )
    .orderBy(desc(refunds.createdAt), desc(refunds.id))
    .limit(limit)
    .offset(offset)
}

const POLL_PAUSE_MS = 10 * 60 * 1000

/** Claims refunds that are due to be polled and schedules their next poll. */
export function claimDueRefunds(db: Database, now: number, limit: number) {
  const due = db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(lte(refunds.nextPollAt, now), isNotMoving(refunds.accountId)))
    .orderBy(refunds.nextPollAt)
    .limit(limit)
  return db
    .update(refunds)
    .set({ nextPollAt: now + POLL_PAUSE_MS })
    .where(inArray(refunds.id, due))
    .returning()
}

/** Marks months as withdrawn by a refund. */
export function withdrawMonthStatements(
  db: Database,
  months: readonly { subscription_id: string; number: number }[],
  refundId: string,
): Statement[] {
  return months.map(({ subscription_id, number }) =>
    db
      .update(termMonths)
      .set({ withdrawnBy: refundId })
      .where(and(eq(termMonths.subscriptionId, subscription_id), eq(termMonths.number, number))),
  )
}

/** Selects the months withdrawn by a refund. */
export function withdrawnQuery(db: Database, refundId: string) {
  return db
    .select({ month: termMonths, subscription: subscriptions })
    .from(termMonths)
    .innerJoin(subscriptions, eq(subscriptions.id, termMonths.subscriptionId))
    .where(and(inArray(termMonths.orderId, orderOf(db, refundId)), eq(termMonths.withdrawnBy, refundId)))
    .orderBy(termMonths.number)
}

/** Restores withdrawn months to their term with new dates. */
export function restoreMonthStatements(
  db: Database,
  subscriptionId: string,
  months: readonly TermMonth[],
): Statement[] {
  return months.map(({ number, starts_at, ends_at }) =>
    db
      .update(termMonths)
      .set({ withdrawnBy: null, startsAt: starts_at, endsAt: ends_at })
      .where(and(eq(termMonths.subscriptionId, subscriptionId), eq(termMonths.number, number))),
  )
}

export function setPeriodEndStatement(db: Database, subscriptionId: string, periodEnd: number): Statement {
  return db.update(subscriptions).set({ periodEnd }).where(eq(subscriptions.id, subscriptionId))
}
