import type { Deps } from '../deps.ts'
import type { PaymentEvent } from '../payments/provider.ts'
import type { Statement } from '../platform/database/client.ts'
import { issueFurtherReceipt } from '../receipts/issue.ts'
import type { PaymentFacts } from './load-payment.ts'
import { notePaymentStatement, sameMoneyGuard } from './queries.ts'
import { countedCents, type PaymentDecision } from './rules/payment.ts'

/** Notes what arrived. What of it counts for an order that was delivered before has a further receipt. */
export function noteStatements(
  deps: Deps,
  { order, issued }: Pick<PaymentFacts, 'order' | 'issued'>,
  { reference }: PaymentEvent,
  { actually_paid_cents }: PaymentDecision,
  now: number,
): Statement[] {
  if (actually_paid_cents === order.actuallyPaidCents && order.providerReference !== null) return []
  const earlier_cents = countedCents(order)
  const amount_cents = countedCents({ ...order, actuallyPaidCents: actually_paid_cents }) - earlier_cents
  const payment = { earlier_cents, amount_cents, credits: 0 }
  const receipt = order.creditedAt === null ? null : issueFurtherReceipt(deps, issued, order, payment, now)
  return [
    sameMoneyGuard(deps.db, order),
    notePaymentStatement(deps.db, order.id, { paid_cents: actually_paid_cents, reference }),
    ...(receipt?.statements ?? []),
  ]
}
