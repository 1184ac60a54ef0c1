import type { StoredOrder } from '../orders/queries.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { StoredRefund } from './queries.ts'
import type { RefundQuote } from './rules/refunds.ts'

export function viewRefund(refund: StoredRefund) {
  return {
    id: refund.id,
    order_id: refund.orderId,
    status: refund.status,
    amount_cents: refund.amountCents,
    currency: refund.currency,
    credits_removed: refund.creditsRemoved,
    reason: refund.reason,
    note: refund.note,
    created_at: isoTime(refund.createdAt),
    finished_at: isoTime(refund.finishedAt),
  }
}

/**
 * Returns the quote in the form used by the API.
 * @param enabled whether refunds by our own policy are enabled; the statutory right does not depend on it.
 */
export function viewQuote(
  order: StoredOrder,
  quote: RefundQuote,
  { enabled, payout_manual }: { enabled: boolean; payout_manual: boolean },
) {
  return {
    order_id: order.id,
    currency: order.currency,
    ...quote,
    deadline: isoTime(quote.deadline),
    withdrawal_deadline: isoTime(quote.withdrawal_deadline),
    eligible: quote.blocked === '' && (enabled || quote.reason === 'withdrawal'),
    payout_manual,
  }
}
