import type { Locale } from '../platform/http/rules/locale.ts'

/** What a checkout is opened for. Amounts are in the smallest unit of the currency, before tax. */
export interface CheckoutRequest {
  order_id: string
  /** What the person reads on the checkout page. */
  description: string
  amount_cents: number
  currency: string
  email: string
  locale: Locale | null
  /** Where the checkout page sends the person afterwards. */
  return_url: string
  /** A mandate is to be held, and charged the same amount every so many days; null: paid once. */
  renews_every_days: number | null
}

export interface OpenedCheckout {
  /** The provider's own name for it. */
  reference: string
  redirect_url: string
}

/** What a provider tells of an order's payment. `declined`: the person may try again on the same order. */
export interface PaymentNews {
  kind: 'payment'
  order_id: string
  reference: string
  state: 'confirming' | 'paid' | 'partially_paid' | 'declined' | 'expired' | 'failed'
  /** What has arrived so far, before tax. */
  paid_cents: number
  /** What it is counted in; null where the provider does not say. */
  currency: string | null
  /** The mandate that the payment set up, where there is one. */
  mandate: string | null
}

/** A charge of a mandate, at renewal. */
export interface RenewalNews {
  kind: 'renewal'
  mandate: string
  reference: string
  state: 'paid' | 'failed'
  amount_cents: number
  currency: string
}

export interface MandateNews {
  kind: 'mandate'
  mandate: string
  state: 'paused' | 'resumed' | 'cancelled'
}

export interface RefundNews {
  kind: 'refund'
  /** The provider's own name for the refund. */
  reference: string
  /** Ours, where the provider tells it: its callback may come before the answer that brought `reference`. */
  refund_id: string | null
  state: 'processing' | 'succeeded' | 'failed'
}

/**
 * A payment that its payer had taken back by their bank. `warned`: it may come to that; `reversed`: the money
 * has come again.
 */
export interface DisputeNews {
  kind: 'dispute'
  /** The provider's own name for the dispute. */
  reference: string
  /** The payment's own reference. */
  payment: string
  /** The mandate that the payment set up or was charged by. */
  mandate: string | null
  state: 'lost' | 'warned' | 'reversed'
  /** What went back, before tax; null: all that was left of the payment. */
  amount_cents: number | null
  /** What it is counted in. */
  currency: string
}

export type News = PaymentNews | RenewalNews | MandateNews | RefundNews | DisputeNews

/** One callback, its signature checked. */
export interface Callback {
  /** The same for each repetition of the same callback. */
  event_id: string
  occurred_at: number
  /** null: of a kind that nothing here depends on, or about what was not opened from here. */
  news: News | null
}

export interface RefundRequest {
  refund_id: string
  order_id: string
  /** The payment's own reference. */
  reference: string
  amount_cents: number
  /** Whether this is all that was paid. */
  whole: boolean
  currency: string
  reason: string
}

/** A payment provider, as the services see it. What it cannot be asked throws; who calls tries again later. */
export interface PaymentProvider {
  name: string
  label: string
  kind: 'card' | 'crypto'
  holds_mandates: boolean
  /** False: money goes back by hand. */
  refunds: boolean
  openCheckout(request: CheckoutRequest): Promise<OpenedCheckout>
  /** Asks about an order that was not heard of; null where the provider knows nothing of it yet. */
  findPayment(order: { order_id: string; reference: string }): Promise<PaymentNews | null>
  /** Whether headers look as if this provider had signed: without reading the body, and before it is read. */
  mayHaveSigned(headers: Headers, now: number): boolean
  /**
   * @returns null for a callback that this provider did not sign, or signed too long ago.
   * @throws UnreadableEvent for one of another form than the provider documents.
   */
  readCallback(request: { headers: Headers; body: string }, now: number): Promise<Callback | null>
  /** May be asked twice for the same `refund_id`; it pays once. */
  refund(request: RefundRequest): Promise<RefundNews>
  findRefund(reference: string): Promise<RefundNews | null>
  /** Ends a mandate at once; one that has ended already is no error. */
  cancelMandate(mandate: string): Promise<void>
  /** The charges of a mandate so far, newest first, for renewals that were not heard of. */
  findRenewals(mandate: string): Promise<RenewalNews[]>
}
