import type { Payment } from './state.ts'

const STATUSES: Record<Payment['status'], string> = {
  open: 'waiting',
  confirming: 'confirming',
  partially_paid: 'partially_paid',
  paid: 'finished',
  past_due: 'waiting',
  expired: 'expired',
  failed: 'failed',
}

/** Converts cents to coins at a rate that yields six decimal places, like real amounts. */
export function coinsOf({ amount_cents, received_pct }: Payment): { asked: number; received: number } {
  const asked = Number((amount_cents * 1.0307).toFixed(6))
  return { asked, received: received_pct === 100 ? asked : Number(((asked * received_pct) / 100).toFixed(6)) }
}

/** Formats a payment as NOWPayments does in events and API responses. */
export function describeCryptoPayment(payment: Payment) {
  const { asked, received } = coinsOf(payment)
  return {
    payment_id: Number(payment.part_id),
    parent_payment_id: null,
    invoice_id: Number(payment.reference),
    payment_status: STATUSES[payment.status],
    pay_address: `sandbox${payment.part_id}`,
    payin_extra_id: null,
    price_amount: payment.amount_cents / 100,
    price_currency: payment.currency.toLowerCase(),
    pay_amount: asked,
    actually_paid: received,
    actually_paid_at_fiat: 0,
    pay_currency: 'trx',
    order_id: payment.order_id,
    order_description: payment.description,
    purchase_id: payment.reference,
    outcome_amount: received,
    outcome_currency: 'trx',
    payment_extra_ids: null,
    fee: { currency: 'trx', depositFee: 0, withdrawalFee: 0, serviceFee: 0 },
    updated_at: payment.updated_at,
  }
}

/** Formats an invoice as the NOWPayments API does. */
export function describeInvoice(payment: Payment, sandboxUrl: string) {
  const time = new Date(payment.created_at).toISOString()
  return {
    id: payment.reference,
    token_id: '1',
    order_id: payment.order_id,
    order_description: payment.description,
    price_amount: String(payment.amount_cents / 100),
    price_currency: payment.currency,
    pay_currency: null,
    ipn_callback_url: payment.callback_url,
    invoice_url: `${sandboxUrl}/checkout/${payment.reference}`,
    success_url: payment.return_url,
    cancel_url: payment.return_url,
    created_at: time,
    updated_at: time,
  }
}
