import type {
  DisputeEvent,
  MandateEvent,
  PaymentEvent,
  ProviderEvent,
  RefundEvent,
  RenewalEvent,
  VerifiedEvent,
} from '../provider.ts'
import type { TaxedTotal } from '../rules/taxed-total.ts'
import { readSigned } from '../unreadable.ts'
import { Adjustment, PaddleEvent, Subscription, Transaction } from './shapes.ts'

/**
 * Origins of a checkout. Later transactions of the mandate carry the same custom data, so only the origin tells
 * them apart.
 */
const CHECKOUT_ORIGINS = ['api', 'web']
const RENEWAL_ORIGIN = 'subscription_recurring'

/** "paid" means captured but not processed: the mandate may not exist yet, and refunds are not possible. */
const PAYMENT_STATES: Record<string, PaymentEvent['state'] | undefined> = {
  paid: 'confirming',
  completed: 'paid',
  canceled: 'expired',
}

const RENEWAL_STATES: Record<string, RenewalEvent['state'] | undefined> = {
  completed: 'paid',
  past_due: 'failed',
}

const REFUND_STATES: Record<string, RefundEvent['state'] | undefined> = {
  pending_approval: 'processing',
  approved: 'succeeded',
  rejected: 'failed',
  reversed: 'failed',
}

/**
 * Returns the amount before tax in the currency of the price. A checkout can settle in another currency at its own
 * rate. Contract: Price rule 8.
 */
function readPaid({ details, items, currency_code }: Transaction): { cents: number; currency: string } {
  const { subtotal, discount } = details.totals
  const paid_cents = subtotal - discount
  const [item, ...others] = items
  const quoted = item?.price?.unit_price
  if (quoted === undefined || others.length > 0 || quoted.currency_code === currency_code || subtotal === 0) {
    return { cents: paid_cents, currency: currency_code }
  }
  const asked_cents = quoted.amount * (item?.quantity ?? 0)
  const cents = Math.floor((asked_cents * paid_cents) / subtotal)
  if (!Number.isSafeInteger(cents)) throw new Error(`${cents} cents is not an amount`)
  return { cents, currency: quoted.currency_code }
}

function readTaxed({ total, tax }: { total: number; tax: number }, currency: string): TaxedTotal {
  return { total_cents: total, tax_cents: tax, currency }
}

/** Converts an amount in the quoted currency to the currency in which the transaction settled. */
export function toSettled(transaction: Transaction, quoted_cents: number): number {
  const { subtotal, discount } = transaction.details.totals
  const { cents } = readPaid(transaction)
  return cents === 0 ? 0 : Math.floor((quoted_cents * (subtotal - discount)) / cents)
}

/** Reads the payment of an order. Returns null for other transactions and for those without an outcome. */
export function readPayment(
  transaction: Transaction,
  state: PaymentEvent['state'] | undefined = PAYMENT_STATES[transaction.status],
): PaymentEvent | null {
  const order_id = transaction.custom_data?.order_id
  if (state === undefined || typeof order_id !== 'string') return null
  if (!CHECKOUT_ORIGINS.includes(transaction.origin)) return null
  const hasArrived = state === 'confirming' || state === 'paid'
  const { cents, currency } = readPaid(transaction)
  return {
    kind: 'payment',
    order_id,
    reference: transaction.id,
    state,
    paid_cents: hasArrived ? cents : 0,
    currency,
    charged: hasArrived ? readTaxed(transaction.details.totals, transaction.currency_code) : null,
    mandate: transaction.subscription_id ?? null,
  }
}

/** Reads a charge of a mandate. Returns null for other transactions and for pending charges. */
export function readRenewal(transaction: Transaction): RenewalEvent | null {
  const state = RENEWAL_STATES[transaction.status]
  if (state === undefined || transaction.origin !== RENEWAL_ORIGIN || !transaction.subscription_id)
    return null
  const { cents, currency } = readPaid(transaction)
  return {
    kind: 'renewal',
    mandate: transaction.subscription_id,
    reference: transaction.id,
    state,
    amount_cents: cents,
    currency,
    charged: state === 'paid' ? readTaxed(transaction.details.totals, transaction.currency_code) : null,
  }
}

const REFUND_MARK = /\[refund ([^\]\s]+)\]$/

/** Appends our refund id to the reason of an adjustment, so the adjustment can be found by it. */
export function markReason(reason: string, refundId: string): string {
  return `${reason} [refund ${refundId}]`
}

export function readRefund(adjustment: Adjustment): RefundEvent | null {
  const state = REFUND_STATES[adjustment.status]
  if (adjustment.action !== 'refund' || state === undefined) return null
  return {
    kind: 'refund',
    reference: adjustment.id,
    refund_id: REFUND_MARK.exec(adjustment.reason)?.[1] ?? null,
    state,
    returned: readReturned(adjustment),
  }
}

/** Returns what an adjustment pays back. Paddle may list its totals only after the approval. */
function readReturned({ totals, currency_code }: Adjustment): TaxedTotal | null {
  return totals && currency_code ? readTaxed(totals, currency_code) : null
}

/**
 * Dispute states by action and status. A chargeback takes effect immediately, and Paddle reports its reversal in
 * two ways.
 */
const DISPUTE_STATES: Record<string, DisputeEvent['state'] | undefined> = {
  'chargeback approved': 'lost',
  'chargeback reversed': 'reversed',
  'chargeback_reverse approved': 'reversed',
  'chargeback_warning approved': 'warned',
}

/**
 * Reads a dispute. Paddle creates these adjustments when a payer disputes a charge with their bank. Returns null
 * for others.
 */
export function readDispute(adjustment: Adjustment): DisputeEvent | null {
  const { id, action, type, status, transaction_id, subscription_id, currency_code, totals } = adjustment
  const state = DISPUTE_STATES[`${action} ${status}`]
  if (state === undefined) return null
  return {
    kind: 'dispute',
    reference: id,
    payment: transaction_id,
    mandate: subscription_id ?? null,
    state,
    amount_cents: type === 'full' || !totals ? null : totals.subtotal,
    currency: currency_code ?? '',
    returned: readReturned(adjustment),
  }
}

const MANDATE_STATES: Record<string, MandateEvent['state'] | undefined> = {
  'subscription.paused': 'paused',
  'subscription.resumed': 'resumed',
  'subscription.canceled': 'cancelled',
}

function readNews(type: string, data: unknown): ProviderEvent | null {
  const mandateState = MANDATE_STATES[type]
  if (mandateState !== undefined) {
    return { kind: 'mandate', mandate: Subscription.parse(data).id, state: mandateState }
  }
  switch (type) {
    case 'transaction.paid':
    case 'transaction.completed':
    case 'transaction.canceled':
    case 'transaction.past_due': {
      const transaction = Transaction.parse(data)
      return readRenewal(transaction) ?? readPayment(transaction)
    }
    case 'transaction.payment_failed':
      return readPayment(Transaction.parse(data), 'declined')
    case 'adjustment.created':
    case 'adjustment.updated': {
      const adjustment = Adjustment.parse(data)
      return readRefund(adjustment) ?? readDispute(adjustment)
    }
    default:
      return null
  }
}

/**
 * Reads a notification whose signature was verified.
 * @throws UnreadableEvent
 */
export function readPaddleEvent(body: string): VerifiedEvent {
  return readSigned(body, (content) => {
    const event = PaddleEvent.parse(content)
    return {
      event_id: event.event_id,
      occurred_at: Date.parse(event.occurred_at),
      reported: readNews(event.event_type, event.data),
    }
  })
}
