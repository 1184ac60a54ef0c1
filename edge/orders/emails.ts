import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { NextCharge } from './extend-term.ts'
import type { StoredOrder } from './queries.ts'
import type { OrderedItem } from './rules/confirmation-email.ts'
import type { Bought } from './rules/delivery.ts'

/** Longer than any likely outage of a mail server. */
const USEFUL_MS = 30 * 24 * 60 * 60 * 1000

interface Delivered {
  email: string
  paid_cents: number
  period_end: number | null
  /** The next charge of the mandate; null if the term does not renew. */
  renewal: NextCharge | null
  now: number
}

/** Returns the effect that emails the confirmation once per order, or null if no mail server is configured. */
export function orderEmailEffect(
  { mailer }: Pick<Deps, 'mailer'>,
  order: StoredOrder,
  bought: Bought,
  { email, paid_cents, period_end, renewal, now }: Delivered,
): Effect | null {
  if (mailer === null) return null
  return mailEffect(`order:${order.id}`, {
    to: email,
    locale: order.consentLocale ?? 'en',
    content: {
      kind: 'order',
      order_id: order.id,
      items: itemsOf(order, bought),
      amount_cents: Math.min(paid_cents, order.amountCents),
      currency: order.currency,
      paid_at: now,
      terms_version: order.termsVersion,
      period_end,
      renewal,
    },
    useful_until: now + USEFUL_MS,
  })
}

function itemsOf(order: StoredOrder, { plan, pack_credits }: Bought): OrderedItem[] {
  const pack =
    pack_credits === null
      ? []
      : [{ name: order.bundleItemName ?? order.itemName, credits: pack_credits, months: null }]
  if (plan === null) return pack
  const { months, credits_per_month } = plan
  return [{ name: order.itemName, credits: months * credits_per_month, months }, ...pack]
}
