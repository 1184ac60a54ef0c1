import { eq } from 'drizzle-orm'
import type { Change, Credits } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { closeTerm } from '../subscriptions/close-term.ts'
import { endSurplusMandate } from '../subscriptions/end-mandate.ts'
import { isRunning } from '../subscriptions/rules/terms.ts'
import { insertMonthStatements, type StoredSubscription, toTermMonth } from '../subscriptions/term-queries.ts'
import { accounts } from '../tables.ts'
import { orderLetterEffect } from './emails.ts'
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

export interface DeliveredOrder {
  change: Change
  statements: Statement[]
  /** The email, and the end of mandates that renew nothing. */
  effects: Effect[]
  /** The months went behind a term that ran. */
  extended: boolean
}

const NOTHING = { statements: [], effects: [] }

interface Payment {
  /** The mandate that the payment set up or was charged by. */
  mandate: string | null
  paid_cents: number
  /** Where less was paid and an administrator lets that much count. */
  bought?: Bought
}

/**
 * All of "an order is paid" but the order's own row: the pack, the months and their term, the price lock
 * and the letter, as one change of credits and the statements of its commit.
 * Contract: Purchase rule 1; Purchase rule 4.
 * A term that opens renews itself where the order said so and a mandate is held.
 * Where a term runs the months go behind it, whatever its plan: of two checkouts of different plans that were
 * both open both may be paid. Each month has the credits and the limits of the plan that paid for it.
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
  const charge = nextCharge(order, running && subscription, payment.mandate, period_end)
  const letter = orderLetterEffect(deps, order, bought, {
    ...payment,
    email,
    period_end,
    renewal: charge,
    now,
  })
  const unused = findUnusedMandate(order, running && subscription, payment.mandate)
  const surplus = endSurplusMandate(deps, order, unused, now)
  const effects = [...(letter === null ? [] : [letter]), ...surplus.effects]
  if (period_end === null) {
    return { change, statements: surplus.statements, effects, extended: false }
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
      ...closed.statements,
      ...termStatements,
      ...insertMonthStatements(db, owner, months),
      ...lockStatements(db, order, now),
      ...surplus.statements,
    ],
    effects: [...effects, ...closed.effects],
    extended: running !== null,
  }
}
