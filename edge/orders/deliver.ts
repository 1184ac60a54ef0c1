import { and, eq, exists, isNull } from 'drizzle-orm'
import type { Locale } from '../../shared/text/texts.ts'
import type { Change, Credits } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { TaxedTotal } from '../payments/rules/taxed-total.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { type Buyer, issueReceipt } from '../receipts/issue.ts'
import { buyerQuery } from '../receipts/queries.ts'
import { closeTerm } from '../subscriptions/close-term.ts'
import { endOrphanedMandate } from '../subscriptions/end-mandate.ts'
import { isRunning } from '../subscriptions/rules/terms.ts'
import { insertMonthStatements, type StoredSubscription, toTermMonth } from '../subscriptions/term-queries.ts'
import { accounts } from '../tables.ts'
import { orderEmailEffect } from './emails.ts'
import {
  extendTermStatements,
  findUnusedMandate,
  lockStatements,
  nextCharge,
  openTermStatements,
  stateOf,
} from './extend-term.ts'
import { openSubscriptionQuery, openTermMonthsQuery, type StoredOrder } from './queries.ts'
import { type Bought, boughtBy, deliverPurchase, type TermToExtend } from './rules/delivery.ts'

/** The facts that a delivery needs in addition to the order. */
export interface DeliveryFacts {
  email: string
  /** The account's language. */
  locale: Locale
  /** Money for a deleted account is never delivered. */
  is_deleted: boolean
  buyer: Buyer
  /** The open term, whether it is running or not. */
  subscription: StoredSubscription | null
  term: TermToExtend | null
}

/** Returns the queries whose results `deliveryFactsFrom` combines. */
export function deliveryQueries(db: Database, accountId: number) {
  return [
    buyerQuery(db, accountId),
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
    locale: own[0]?.locale ?? 'en',
    is_deleted: own[0]?.deletedAt != null,
    buyer: own[0] ?? { email: '', full_name: null, locale: 'en', details: null },
    subscription,
    term: subscription && {
      id: subscription.id,
      months: months.flatMap(({ month }) => (month.withdrawnBy === null ? [toTermMonth(month)] : [])),
      last_number: Math.max(0, ...months.map(({ month }) => month.number)),
    },
  }
}

/** Makes the commit fail as a lost race if the account was deleted, because its credits can no longer be used. */
export function notDeletedGuard(db: Database, accountId: number): Statement {
  const { id, deletedAt } = accounts
  const existing = db
    .select({ id })
    .from(accounts)
    .where(and(eq(id, accountId), isNull(deletedAt)))
  return guardStatement(db, exists(existing))
}

export interface DeliveredOrder {
  change: Change
  statements: Statement[]
  /** Effects that send the confirmation email and end mandates that renew nothing. */
  effects: Effect[]
  /** Whether the months were added to a running term. */
  extended: boolean
}

const NOTHING = { statements: [], effects: [] }

interface Payment {
  /** The mandate that the payment created or used. */
  mandate: string | null
  paid_cents: number
  /** What the provider charged with tax; null if it does not report it. */
  charged: TaxedTotal | null
  /** What an administrator credits for a partial payment; defaults to everything ordered. */
  bought?: Bought
}

/**
 * Delivers a paid order: its pack, months, term, price lock, receipt, and email. Returns one credit change and the
 * statements for its commit; the caller updates the order row. A new term renews if the order asked for it and a
 * mandate exists. Months extend a running term of any plan, because two open checkouts may both be paid; each month
 * keeps its own plan's credits and limits. Contract: Purchase rule 1; Purchase rule 4.
 */
export function deliverOrder(
  deps: Deps,
  order: StoredOrder,
  { buyer, subscription, term }: DeliveryFacts,
  settled: Credits,
  now: number,
  payment: Payment,
): DeliveredOrder {
  const { db } = deps
  const bought = payment.bought ?? boughtBy(order)
  const running = isRunning(stateOf(subscription), now) ? term : null
  const target = running ?? { id: crypto.randomUUID(), months: [], last_number: 0 }
  const { change, months, period_end } = deliverPurchase(settled, bought, target, now)
  const charge = nextCharge(order, running && subscription, payment.mandate, period_end)
  const receipt = issueReceipt(deps, order, { buyer, bought, paid_cents: payment.paid_cents, now })
  const message = orderEmailEffect(deps, order, bought, {
    ...payment,
    email: buyer.email,
    receipt_token: receipt.token,
    months,
    period_end,
    renewal: charge,
    now,
  })
  const unused = findUnusedMandate(order, running && subscription, payment.mandate)
  const orphaned = endOrphanedMandate(deps, order, unused, now)
  const effects = [...(message === null ? [] : [message]), ...orphaned.effects]
  const guard = notDeletedGuard(db, order.accountId)
  if (period_end === null) {
    return {
      change,
      statements: [guard, ...receipt.statements, ...orphaned.statements],
      effects,
      extended: false,
    }
  }
  const owner = { id: target.id, accountId: order.accountId }
  const closed = !running && subscription ? closeTerm(deps, subscription, now) : NOTHING
  const termStatements =
    running && subscription
      ? extendTermStatements(db, order, subscription, period_end, now)
      : openTermStatements(db, order, target.id, { mandate: payment.mandate, period_end, charge }, now)
  return {
    change,
    statements: [
      guard,
      ...receipt.statements,
      ...closed.statements,
      ...termStatements,
      ...insertMonthStatements(db, owner, months),
      ...lockStatements(db, order, now),
      ...orphaned.statements,
    ],
    effects: [...effects, ...closed.effects],
    extended: running !== null,
  }
}
