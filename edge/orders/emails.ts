import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import { sellerOf } from '../environment/seller.ts'
import type { TaxedTotal } from '../payments/rules/taxed-total.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { NextCharge } from './extend-term.ts'
import type { StoredOrder } from './queries.ts'
import type { OrderedItem } from './rules/confirmation-email.ts'
import type { Bought } from './rules/delivery.ts'

/** Longer than any likely outage of a mail server. */
const USEFUL_MS = 30 * 24 * 60 * 60 * 1000

interface Delivered {
  email: string
  receipt_token: string
  /** The months that the order added, in order of time. */
  months: readonly { starts_at: number }[]
  paid_cents: number
  charged: TaxedTotal | null
  period_end: number | null
  /** The next charge of the mandate; null if the term does not renew. */
  renewal: NextCharge | null
  now: number
}

/** Returns the effect that emails the confirmation once per order, or null if no mail server is configured. */
export function orderEmailEffect(
  deps: Pick<Deps, 'mailer' | 'payments' | 'env'>,
  order: StoredOrder,
  bought: Bought,
  { email, receipt_token, months, paid_cents, charged, period_end, renewal, now }: Delivered,
): Effect | null {
  if (deps.mailer === null) return null
  const starts_at = months[0]?.starts_at ?? now
  return mailEffect(`order:${order.id}`, {
    to: email,
    locale: order.consentLocale ?? 'en',
    content: {
      kind: 'order',
      order_id: order.id,
      receipt_token,
      items: itemsOf(order, bought, starts_at > now ? starts_at : null),
      amount_cents: Math.min(paid_cents, order.amountCents),
      currency: order.currency,
      paid_at: now,
      provider_kind: deps.payments.find(({ name }) => name === order.provider)?.kind ?? null,
      charged,
      seller: sellerOf(deps.env),
      documents: order.acceptedDocuments.map(({ document, version }) => ({ document, version })),
      period_end,
      renewal,
    },
    useful_until: now + USEFUL_MS,
  })
}

function itemsOf(
  order: StoredOrder,
  { plan, pack_credits }: Bought,
  starts_at: number | null,
): OrderedItem[] {
  const pack =
    pack_credits === null
      ? []
      : [
          {
            name: order.bundleItemName ?? order.itemName,
            credits: pack_credits,
            months: null,
            starts_at: null,
          },
        ]
  if (plan === null) return pack
  const { months, credits_per_month } = plan
  return [{ name: order.itemName, credits: months * credits_per_month, months, starts_at }, ...pack]
}
