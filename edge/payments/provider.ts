import type { Locale } from '../../shared/text/texts.ts'
import type { ProviderKind } from './rules/provider-kind.ts'
import type { TaxedTotal } from './rules/taxed-total.ts'

/** A checkout to open. Amounts are in the smallest unit of the currency, before tax. */
export interface CheckoutRequest {
  order_id: string
  /** Shown on the checkout page. */
  description: string
  amount_cents: number
  currency: string
  email: string
  locale: Locale | null
  /** The URL to which the checkout page redirects afterwards. */
  return_url: string
  /** Interval in days after which a mandate charges the same amount again; null for a one-time payment. */
  renews_every_days: number | null
}

export interface OpenedCheckout {
  /** The provider's reference for the checkout. */
  reference: string
  redirect_url: string
}

/** The reported state of a payment. `declined` means that the customer may retry on the same order. */
export interface PaymentEvent {
  kind: 'payment'
  order_id: string
  reference: string
  state: 'confirming' | 'paid' | 'partially_paid' | 'declined' | 'expired' | 'failed'
  /** Total received so far, before tax. */
  paid_cents: number
  /** Currency of the amount; null if the provider does not report it. */
  currency: string | null
  /** null if the provider reports no tax. */
  charged: TaxedTotal | null
  /** The mandate that the payment created, if any. */
  mandate: string | null
}

/** A renewal charge of a mandate. */
export interface RenewalEvent {
  kind: 'renewal'
  mandate: string
  reference: string
  state: 'paid' | 'failed'
  /** Before tax. */
  amount_cents: number
  currency: string
  /** null if the provider reports no tax. */
  charged: TaxedTotal | null
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
  /**
   * Our refund id, if the provider reports it. It is needed because the event may arrive before the response with
   * `reference`.
   */
  refund_id: string | null
  state: 'processing' | 'succeeded' | 'failed'
  /** null if the provider reports no tax. */
  returned: TaxedTotal | null
}

/**
 * A payment that the payer disputed with their bank. `warned` means that a chargeback may follow; `reversed` means
 * that the money was returned to us.
 */
export interface DisputeEvent {
  kind: 'dispute'
  /** The provider's id for the dispute. */
  reference: string
  /** The provider's reference for the payment. */
  payment: string
  /** The mandate that the payment created or used. */
  mandate: string | null
  state: 'lost' | 'warned' | 'reversed'
  /** Amount taken back, before tax; null if the entire remaining payment was taken back. */
  amount_cents: number | null
  /** Currency of the amount. */
  currency: string
  /** null if the provider reports no tax. */
  returned: TaxedTotal | null
}

export type ProviderEvent = PaymentEvent | RenewalEvent | MandateEvent | RefundEvent | DisputeEvent

/** One webhook event with a verified signature. */
export interface VerifiedEvent {
  /** Identical in every repetition of the event. */
  event_id: string
  occurred_at: number
  /** null if the event type is irrelevant or the object was not created here. */
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

/** The interface to a payment provider. Methods throw if the provider is unreachable, and callers retry later. */
export interface PaymentProvider {
  name: string
  label: string
  kind: ProviderKind
  holds_mandates: boolean
  /** False if refunds are manual. */
  refunds: boolean
  /** False if it lacks the credentials to look up payments, which then only events report. */
  finds_payments: boolean
  /** The company that sells in its own name and charges the tax; null if the seller does. */
  reseller: string | null
  openCheckout(request: CheckoutRequest): Promise<OpenedCheckout>
  /**
   * Closes an unpaid checkout. Closing a closed one is not an error.
   * @returns false if it was paid, or can still be paid because the provider cannot close it.
   */
  closeCheckout(reference: string): Promise<boolean>
  /** Finds the email address that the payer gave to the provider. Returns null if the provider has none. */
  findPayer(reference: string): Promise<string | null>
  /** Polls the payment of an order. Returns null if the provider does not know it yet. */
  findPayment(order: { order_id: string; reference: string }): Promise<PaymentEvent | null>
  /** Returns a URL, valid for a short time, of the reseller's invoice for a payment; null if there is none. */
  findInvoice(reference: string): Promise<string | null>
  /** Lists the paid orders since a time. Used to find payments for orders that the database has lost. */
  listPaid(since: number): AsyncIterable<PaymentEvent>
  /** Checks, before the body is read, whether the headers contain a signature in the provider's format. */
  mayHaveSigned(headers: Headers, now: number): boolean
  /**
   * Reads a webhook event.
   * @returns null for an invalid or expired signature.
   * @throws UnreadableEvent for an undocumented format.
   */
  readWebhook(request: { headers: Headers; body: string }, now: number): Promise<VerifiedEvent | null>
  /** Refunds a payment. Idempotent: the provider pays only once per `refund_id`. */
  refund(request: RefundRequest): Promise<RefundEvent>
  findRefund(reference: string): Promise<RefundEvent | null>
  /** Ends a mandate immediately. Ending a mandate that has already ended is not an error. */
  cancelMandate(mandate: string): Promise<void>
  /**
   * Returns the page on which the payer of a mandate changes the payment method, which also retries a failed charge.
   * Its URL is temporary. Returns null if the provider has no such page.
   */
  findPaymentMethodPage(mandate: string): Promise<string | null>
  /** Lists the charges of a mandate, newest first. Used to find renewals that were not reported. */
  findRenewals(mandate: string): Promise<RenewalEvent[]>
}
