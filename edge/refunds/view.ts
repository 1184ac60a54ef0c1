import type { Deps } from '../deps.ts'
import type { StoredOrder } from '../orders/queries.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { ListedReceipt } from '../receipts/queries.ts'
import { viewReceipt } from '../receipts/view.ts'
import type { StoredRefund } from './queries.ts'
import type { RefundQuote } from './rules/refunds.ts'

/** @param issued the credit note; null until it is issued. */
export function viewRefund(
  deps: Pick<Deps, 'env'>,
  refund: StoredRefund,
  issued: ListedReceipt | null = null,
) {
  const creditNote = viewReceipt(deps, issued)
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
    credit_note_number: creditNote.number,
    credit_note_url: creditNote.url,
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
