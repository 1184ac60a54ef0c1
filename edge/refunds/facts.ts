import { creditsFrom, creditsQueries, type LoadedCredits } from '../credits/queries.ts'
import type { Credits, GrantKind } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { StoredOrder } from '../orders/queries.ts'
import { countedCents } from '../orders/rules/payment.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { receiptsQuery, type StoredReceipt } from '../receipts/queries.ts'
import type { Settings } from '../settings/rules/settings.ts'
import type { TermMonth } from '../subscriptions/rules/terms.ts'
import { type StoredSubscription, toTermMonth } from '../subscriptions/term-queries.ts'
import { refundQueries, type StoredRefund } from './queries.ts'
import { quoteRefund, type RefundItem, type RefundQuote } from './rules/refunds.ts'

/** An order with the facts that determine its refund. */
export interface RefundFacts {
  order: StoredOrder
  /** Grants created by the order. */
  made: { sequence: number; kind: GrantKind; amount: number }[]
  credits_spent: number
  /** Months of the order, including withdrawn ones. */
  months: (TermMonth & { subscription_id: string; withdrawn: boolean })[]
  requests: StoredRefund[]
  /** The receipt of the order and its credit notes. */
  issued: StoredReceipt[]
  /** The open term and all of its months that are not withdrawn. */
  term: { subscription: StoredSubscription; months: TermMonth[] } | null
  loaded: LoadedCredits
}

/** Loads the facts in one round trip. Throws 404 unless the account owns the order. */
export async function loadRefundFacts(
  { db }: Deps,
  accountId: number,
  orderId: string,
): Promise<RefundFacts> {
  const [orders, made, spent, months, requests, running, issued, ...credits] = await db.batch([
    ...refundQueries(db, accountId, orderId),
    receiptsQuery(db, orderId),
    ...creditsQueries(db, accountId),
  ])
  const [order] = orders
  if (order === undefined) throw new ApiError('order_not_found')
  const [first] = running
  return {
    order,
    made,
    credits_spent: spent[0]?.spent ?? 0,
    months: months.map((month) => ({
      ...toTermMonth(month),
      subscription_id: month.subscriptionId,
      withdrawn: month.withdrawnBy !== null,
    })),
    requests,
    issued,
    term: first
      ? { subscription: first.subscription, months: running.map(({ month }) => toTermMonth(month)) }
      : null,
    loaded: creditsFrom(accountId, credits),
  }
}

/**
 * Quotes the refund of an order.
 * @param credits the account's settled credits.
 */
export function quoteOf(facts: RefundFacts, credits: Credits, settings: Settings, now: number): RefundQuote {
  const { order, requests, credits_spent } = facts
  const quote = quoteRefund(
    {
      order: {
        status: order.status,
        amount_cents: order.amountCents,
        paid_cents: countedCents(order),
        credited_at: order.creditedAt,
      },
      items: itemsOf(facts, credits, now),
      credits_spent,
      refunds: requests.map(({ id, status, amountCents }) => ({ id, status, amount_cents: amountCents })),
      windows: settings,
    },
    now,
  )
  // The refund follows what counts for the order; the quote names all money that arrived.
  return { ...quote, paid_cents: order.actuallyPaidCents }
}

function itemsOf(facts: RefundFacts, { grants }: Credits, now: number): RefundItem[] {
  const { order, made, months } = facts
  const left = new Map(grants.map((grant) => [grant.sequence, grant.left]))
  const leftOf = (kind: GrantKind) =>
    total(made.filter((grant) => grant.kind === kind).map(({ sequence }) => left.get(sequence) ?? 0))
  const packCents = order.kind === 'package' ? order.amountCents : (order.bundleAmountCents ?? 0)
  return [
    {
      amount_cents: order.amountCents - packCents,
      sold: total(months.map(({ credits }) => credits)),
      // When a refund fails, months of an ended term are returned as an adjustment.
      returnable:
        leftOf('subscription') +
        leftOf('adjust') +
        total(undelivered(facts, now).map(({ credits }) => credits)),
    },
    {
      amount_cents: packCents,
      surplus_cents: order.surplusCreditedCents,
      sold: total(made.filter(({ kind }) => kind === 'purchase').map(({ amount }) => amount)),
      returnable: leftOf('purchase'),
    },
  ]
}

/**
 * Returns the order's undelivered months. Months that are already due are excluded, because they are delivered
 * first.
 */
export function undelivered({ months }: Pick<RefundFacts, 'months'>, now: number) {
  return months.filter(({ delivered, withdrawn, starts_at }) => !delivered && !withdrawn && starts_at > now)
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
