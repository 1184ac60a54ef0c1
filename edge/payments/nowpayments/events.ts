import { z } from 'zod'
import { centsOf, isAmount, parseDecimal, shareOf } from '../decimal.ts'
import type { PaymentEvent } from '../provider.ts'

/** NOWPayments sends the same field sometimes as a number and sometimes as text. */
const Id = z.union([z.string(), z.number()]).transform(String)
const Amount = z.union([z.string(), z.number()]).refine(isAmount, 'must be an amount')

/** A payment as it appears in events and API responses. */
export const CryptoPayment = z.object({
  payment_id: Id,
  parent_payment_id: Id.nullish(),
  invoice_id: Id.nullish(),
  payment_status: z.string(),
  price_amount: Amount,
  price_currency: z.string().nullish(),
  pay_amount: Amount,
  actually_paid: Amount.nullish(),
  actually_paid_at_fiat: Amount.nullish(),
  order_id: Id.nullish(),
  updated_at: z.union([z.string(), z.number()]).nullish(),
})
export type CryptoPayment = z.infer<typeof CryptoPayment>

const STATES: Record<string, PaymentEvent['state'] | undefined> = {
  confirming: 'confirming',
  confirmed: 'confirming',
  sending: 'confirming',
  partially_paid: 'partially_paid',
  finished: 'paid',
  expired: 'expired',
  failed: 'failed',
  refunded: 'failed',
}

/**
 * Checks whether a payment is an extra deposit: coins sent to an address that was already used, or in another
 * currency. An extra deposit can be `finished` with any amount, so its state never makes an order paid.
 */
export function isExtraDeposit({ parent_payment_id }: CryptoPayment): boolean {
  return parent_payment_id !== undefined && parent_payment_id !== null && parent_payment_id !== '0'
}

/**
 * Checks whether payments that a list does not contain may count for the same invoice: an extra deposit or a part adds
 * to an original payment that may be older than the list.
 */
export function mayContinue(payments: readonly CryptoPayment[]): boolean {
  const isPaid = payments.some(
    (payment) => !isExtraDeposit(payment) && STATES[payment.payment_status] === 'paid',
  )
  const isPart = (payment: CryptoPayment) =>
    isExtraDeposit(payment) || STATES[payment.payment_status] === 'partially_paid'
  return !isPaid && payments.some(isPart)
}

/** Returns the received amount in the currency of the price, in cents. */
function receivedCents(payment: CryptoPayment): number {
  if (isExtraDeposit(payment)) return centsOf(payment.actually_paid_at_fiat ?? 0)
  const price = centsOf(payment.price_amount)
  const paid = parseDecimal(payment.actually_paid ?? 0) ?? 0n
  const asked = parseDecimal(payment.pay_amount) ?? 0n
  const share = shareOf(price, paid, asked)
  // NOWPayments reports a payment as finished if it falls short by less than its tolerance.
  return STATES[payment.payment_status] === 'paid' ? Math.max(share, price) : share
}

/** States, from most to least conclusive. */
const RANKS: PaymentEvent['state'][] = ['paid', 'confirming', 'partially_paid', 'failed', 'expired']

/**
 * Combines the payments of an order, because the customer may have started with several coins and paid in parts.
 * @returns null if nothing conclusive was reported.
 */
export function readPayments(
  orderId: string,
  invoiceId: string,
  payments: CryptoPayment[],
): PaymentEvent | null {
  const own = payments.filter(({ order_id }) => order_id === orderId)
  const states = own.flatMap((payment) => {
    const state = STATES[payment.payment_status]
    if (state === undefined) return []
    return isExtraDeposit(payment) && state === 'paid' ? (['partially_paid'] as const) : [state]
  })
  const state = RANKS.find((rank) => states.includes(rank))
  const isWaiting = own.some(({ payment_status }) => payment_status === 'waiting')
  if (state === undefined || (isWaiting && (state === 'expired' || state === 'failed'))) return null
  const paid_cents = own.reduce((sum, payment) => sum + receivedCents(payment), 0)
  const price = Math.max(...own.map(({ price_amount }) => centsOf(price_amount)))
  const isWhole = state === 'partially_paid' && paid_cents >= price
  return {
    kind: 'payment',
    order_id: orderId,
    reference: invoiceId,
    state: isWhole ? 'paid' : state,
    paid_cents: Math.min(paid_cents, Number.MAX_SAFE_INTEGER),
    currency: own[0]?.price_currency?.toUpperCase() ?? null,
    charged: null,
    mandate: null,
  }
}
