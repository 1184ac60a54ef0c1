import type { Locale } from '../platform/http/rules/locale.ts'

/** A checkout to open. Amounts are in the smallest unit of the currency, before tax. */
export interface CheckoutRequest {
  order_id: string
  /** Shown on the checkout page. */
  description: string
  amount_cents: number
  currency: string
  email: string
  locale: Locale | null
  /** Where the checkout page redirects afterwards. */
  return_url: string
  /** Interval in days at which a mandate charges the same amount again; null: paid once. */
  renews_every_days: number | null
}

export interface OpenedCheckout {
  /** The provider's reference. */
  reference: string
  redirect_url: string
}

/** The reported state of a payment. `declined`: the customer may retry on the same order. */
export interface PaymentEvent {
  kind: 'payment'
  order_id: string
  reference: string
  state: 'confirming' | 'paid' | 'partially_paid' | 'declined' | 'expired' | 'failed'
  /** Total received so far, before tax. */
  paid_cents: number
  /** Currency of the amount; null if the provider does not report it. */
  currency: string | null
  /** The mandate created by the payment, if any. */
  mandate: string | null
}

/** A renewal charge of a mandate. */
export interface RenewalEvent {
  kind: 'renewal'
  mandate: string
  reference: string
  state: 'paid' | 'failed'
  amount_cents: number
  currency: string
}

export interface MandateEvent {
  kind: 'mandate'
  mandate: string
  state: 'paused' | 'resumed' | 'cancelled'
}

export interface RefundEvent {
  kind: 'refund'
  /** The provider's reference for the refund. */
  reference: string
  /** Our refund id, if reported: the event may arrive before the response with `reference`. */
  refund_id: string | null
  state: 'processing' | 'succeeded' | 'failed'
}

/**
 * A payment disputed with the payer's bank. `warned`: a chargeback may follow; `reversed`: the money was
 * returned to us.
 */
export interface DisputeEvent {
  kind: 'dispute'
  /** The provider's id of the dispute. */
  reference: string
  /** The provider's reference for the payment. */
  payment: string
  /** The mandate that the payment created or was charged by. */
  mandate: string | null
  state: 'lost' | 'warned' | 'reversed'
  /** Amount taken back, before tax; null: everything left of the payment. */
  amount_cents: number | null
  /** Currency of the amount. */
  currency: string
}

export type ProviderEvent = PaymentEvent | RenewalEvent | MandateEvent | RefundEvent | DisputeEvent

/** One webhook event with a verified signature. */
export interface VerifiedEvent {
  /** The same for every repetition of the event. */
  event_id: string
  occurred_at: number
  /** null for an irrelevant event type, or an object that was not created here. */
  reported: ProviderEvent | null
}

export interface RefundRequest {
  refund_id: string
  order_id: string
  /** The provider's reference for the payment. */
  reference: string
  amount_cents: number
  /** Whether this refunds the full payment. */
  whole: boolean
  currency: string
  reason: string
}

/** The interface to payment providers. Methods throw if the provider is unreachable; callers retry later. */
export interface PaymentProvider {
  name: string
  label: string
  kind: 'card' | 'crypto'
  holds_mandates: boolean
  /** False: refunds are manual. */
  refunds: boolean
  openCheckout(request: CheckoutRequest): Promise<OpenedCheckout>
  /** Polls the payment of an order; null if the provider does not know it yet. */
  findPayment(order: { order_id: string; reference: string }): Promise<PaymentEvent | null>
  /** Checks the headers for a signature in the provider's format, before the body is read. */
  mayHaveSigned(headers: Headers, now: number): boolean
  /**
   * Reads a webhook event.
   * @returns null for an invalid or expired signature.
   * @throws UnreadableEvent for an undocumented format.
   */
  readWebhook(request: { headers: Headers; body: string }, now: number): Promise<VerifiedEvent | null>
  /** Idempotent: a provider pays once per `refund_id`. */
  refund(request: RefundRequest): Promise<RefundEvent>
  findRefund(reference: string): Promise<RefundEvent | null>
  /** Ends a mandate at once; an ended one is no error. */
  cancelMandate(mandate: string): Promise<void>
  /** Lists the charges of a mandate, newest first, to find unreported renewals. */
  findRenewals(mandate: string): Promise<RenewalEvent[]>
}
