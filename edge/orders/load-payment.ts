import { creditsFrom, creditsQueries } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { receiptsQuery } from '../receipts/queries.ts'
import { deliveryFactsFrom, deliveryQueries } from './deliver.ts'
import { orderQuery, paymentEventQuery } from './queries.ts'

/** The event that reported the payment; null if a poll found it. */
export type Event = { id: string; occurred_at: number } | null

export type PaymentFacts = Awaited<ReturnType<typeof loadPayment>>

/** Loads all facts about a payment in one round trip. Throws 404 for an unknown order. */
export async function loadPayment(
  { db }: Deps,
  accountId: number,
  {
    id,
    provider = '',
    event = null,
    grants_max,
  }: { id: string; provider?: string; event?: Event; grants_max?: number | undefined },
) {
  const [rows, issued, events, own, open, months, ...credits] = await db.batch([
    orderQuery(db, id),
    receiptsQuery(db, id),
    paymentEventQuery(db, provider, event?.id ?? ''),
    ...deliveryQueries(db, accountId),
    ...creditsQueries(db, accountId, grants_max),
  ])
  const [order] = rows
  if (order === undefined) throw new ApiError('order_not_found')
  return {
    order,
    issued,
    is_repeated: events.length > 0,
    delivery: deliveryFactsFrom([own, open, months]),
    loaded: creditsFrom(accountId, credits, grants_max),
  }
}
