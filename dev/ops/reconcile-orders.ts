import { handlePayment } from '../../edge/orders/handle-payment.ts'
import { findOrder } from '../../edge/orders/queries.ts'
import { atPayment } from '../../edge/payments/at-payment.ts'
import type { OpsDeps } from './open-deps.ts'

export interface ReconciledPayment {
  provider: string
  order_id: string
  reference: string
  paid_cents: number
  currency: string | null
  /** `unknown`: kept as an unmatched event, from which an administrator grants the credits. */
  outcome: 'matched' | 'applied' | 'unknown'
}

/**
 * Compares the paid orders of all providers with the database and applies each difference like an event: a payment
 * that was not reported is credited, and one for an order that is missing here is kept as an unmatched event.
 * Repeating it changes nothing.
 */
export async function reconcileOrders(all: OpsDeps, since: number): Promise<ReconciledPayment[]> {
  const found: ReconciledPayment[] = []
  for (const provider of all.payments) {
    for await (const payment of provider.listPaid(since)) {
      const { order_id, reference, paid_cents, currency } = payment
      const deps = await atPayment(all, provider.name, payment)
      const before = (await findOrder(deps.db, order_id))?.status
      const after = await handlePayment(deps, provider, payment, null)
      const outcome = after === null ? 'unknown' : before === after ? 'matched' : 'applied'
      found.push({ provider: provider.name, order_id, reference, paid_cents, currency, outcome })
    }
  }
  return found
}
