import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { handlePayment } from './handle-payment.ts'
import { findOrder, orderTransitionStatements, type StoredOrder } from './queries.ts'

const CheckoutRequest = z.object({ order_id: z.string() })

/**
 * Returns the effect that closes the checkout of an order at its provider.
 * @param cause distinguishes the effects of an order: one may be acknowledged while the other is written.
 */
export function closeCheckoutEffect(order_id: string, cause: 'deleted' | 'opened'): Effect {
  return { id: `checkout:${order_id}:${cause}`, kind: 'checkout', payload: { order_id } }
}

/** Ends the unpaid orders of an account that is deleted, and closes their checkouts, also those that expired here. */
export function closeOrders(
  db: Database,
  orders: readonly StoredOrder[],
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const waiting = orders.filter(({ status }) => status === 'waiting')
  return {
    statements: waiting.flatMap((order) =>
      orderTransitionStatements(db, order, 'expired', { nextPollAt: null }, now),
    ),
    effects: orders
      .filter(({ providerReference }) => providerReference !== null)
      .map(({ id }) => closeCheckoutEffect(id, 'deleted')),
  }
}

/** Closes a checkout. If it was paid before, handles the payment, because its event may be lost. */
export async function closeCheckout(deps: Deps, payload: unknown): Promise<void> {
  const { order_id } = CheckoutRequest.parse(payload)
  const order = await findOrder(deps.db, order_id)
  if (order === undefined || order.providerReference === null) return
  const { provider: name, providerReference: reference } = order
  const provider = deps.payments.find((candidate) => candidate.name === name)
  if (provider === undefined) throw new Error(`the provider ${name} is not configured`)
  if (await provider.closeCheckout(reference)) return
  const reported = await provider.findPayment({ order_id, reference })
  if (reported !== null) await handlePayment(deps, provider, { ...reported, order_id }, null)
}
