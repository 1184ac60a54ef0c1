import type { Locale } from '../../../shared/text/texts.ts'

/**
 * How far the payback of a payment is that arrived for a deleted account. One that is `waiting` has no provider to ask: an
 * administrator settles it, or it is requested once its provider is configured again.
 */
export const PAYBACK_STATES = ['requested', 'waiting', 'processing', 'succeeded', 'failed'] as const
export type PaybackState = (typeof PAYBACK_STATES)[number]

/** What the email to the payer says, besides the payment. */
export interface PaybackNotice {
  order_id: string
  item_name: string
  locale: Locale
}

/** Checks whether a payback may still move the money, so nobody may decide about it. */
export function isPayingBack(state: PaybackState | null): boolean {
  return state === 'requested' || state === 'processing'
}

const MARK = 'payback:'

/** Returns the refund id that a payback has at its provider, which pays once per id. It names the payment. */
export function paybackId(reference: string): string {
  return `${MARK}${reference}`
}

/** Returns the payment that a refund event pays back; null if it is the event of a requested refund. */
export function paidBackBy({ refund_id }: { refund_id: string | null }): string | null {
  return refund_id?.startsWith(MARK) ? refund_id.slice(MARK.length) : null
}

/** Returns the id under which a payment that is paid back is kept, however often and by whichever event it is reported. */
export function keptOnce({ reference }: { reference: string }): string {
  return `payment:${reference}`
}
