import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { DeliveryFacts } from './deliver.ts'
import type { StoredOrder } from './queries.ts'
import { countedCents, type PaymentDecision, surplusCents } from './rules/payment.ts'
import type { PaymentEmail } from './rules/payment-email.ts'

/** Longer than any likely outage of a mail server. */
const USEFUL_MS = 30 * 24 * 60 * 60 * 1000

type Recipient = Pick<DeliveryFacts, 'email' | 'locale'>

/**
 * Returns the email about money that just arrived and is not the price: less, or more than the order has use for.
 * The received total identifies it, so each arrival is announced once.
 */
export function arrivalEffects(
  deps: Pick<Deps, 'mailer'>,
  { order, delivery }: { order: StoredOrder; delivery: Recipient },
  { next_status, actually_paid_cents }: PaymentDecision,
  now: number,
): Effect[] {
  if (actually_paid_cents <= order.actuallyPaidCents) return []
  const after = {
    ...order,
    status: next_status ?? order.status,
    actuallyPaidCents: actually_paid_cents,
    creditedAt: next_status === 'paid' ? now : order.creditedAt,
  }
  if (after.status === 'partially_paid') {
    const paid = countedCents(after)
    const facts = {
      status: 'underpaid',
      paid_cents: paid,
      difference_cents: order.amountCents - paid,
    } as const
    return paymentEmail(deps, after, delivery, { ...facts, checkout_url: order.redirectUrl }, now)
  }
  const surplus = surplusCents(after)
  if (surplus === 0) return []
  return paymentEmail(deps, after, delivery, { status: 'overpaid', difference_cents: surplus }, now)
}

/** Returns the email about a payment that an administrator refused. */
export function refusalEffects(
  deps: Pick<Deps, 'mailer'>,
  order: StoredOrder,
  to: Recipient,
  now: number,
): Effect[] {
  const paid_cents = countedCents(order)
  const difference_cents = order.amountCents - paid_cents
  return paymentEmail(deps, order, to, { status: 'refused', paid_cents, difference_cents }, now)
}

/** Returns the email about a surplus that an administrator credited or paid back. */
export function surplusEffects(
  deps: Pick<Deps, 'mailer'>,
  order: StoredOrder,
  to: Recipient,
  settled: Pick<PaymentEmail, 'credits'> & { receipt_token: string | null },
  now: number,
): Effect[] {
  const status = settled.credits === null ? 'surplus_returned' : 'surplus_credited'
  return paymentEmail(deps, order, to, { status, difference_cents: surplusCents(order), ...settled }, now)
}

type Facts = Pick<PaymentEmail, 'status' | 'difference_cents'> &
  Partial<Pick<PaymentEmail, 'paid_cents' | 'credits' | 'checkout_url'>> & { receipt_token?: string | null }

function paymentEmail(
  { mailer }: Pick<Deps, 'mailer'>,
  order: StoredOrder,
  { email, locale }: Recipient,
  facts: Facts,
  now: number,
): Effect[] {
  if (mailer === null) return []
  return [
    mailEffect(`payment:${order.id}:${facts.status}:${order.actuallyPaidCents}`, {
      to: email,
      locale,
      content: {
        kind: 'payment',
        order_id: order.id,
        item_name: order.itemName,
        price_cents: order.amountCents,
        paid_cents: order.actuallyPaidCents - order.refusedCents,
        currency: order.currency,
        credits: null,
        checkout_url: null,
        receipt_token: null,
        ...facts,
      },
      useful_until: now + USEFUL_MS,
    }),
  ]
}
