import type { TaxedTotal } from '../../payments/rules/taxed-total.ts'

/** The details that an account can give about itself. */
export interface BillingDetails {
  /** Of the person or company. */
  name: string | null
  /** May have several lines. */
  address: string | null
  postal_code: string | null
  city: string | null
  /** ISO 3166-1 code. */
  country: string | null
  vat_id: string | null
}

export const NO_DETAILS: BillingDetails = {
  ...{ name: null, address: null, postal_code: null, city: null, country: null, vat_id: null },
}

/** The company that sells. Real payments require its settings. */
export interface Seller {
  name: string
  /** Has line breaks between its lines; '' if unknown. */
  address: string
  /** ISO 3166-1 code; null if unknown. */
  country: string | null
  vat_id: string | null
  email: string | null
}

export interface ReceiptLine {
  name: string
  credits: number
  /** null for a pack. */
  months: number | null
  amount_cents: number
}

/** Everything that a receipt or credit note says. Later changes of accounts and settings do not affect it. */
export interface ReceiptContent {
  seller: Seller
  /** The reseller that sold in its own name and charged the tax; null if the seller did. */
  reseller: string | null
  buyer: BillingDetails & { email: string }
  order_id: string
  /** The provider's reference for the payment or refund. */
  reference: string | null
  /** Empty in a credit note. */
  lines: readonly ReceiptLine[]
  /** Before tax. Less than the sum of the lines if a part of the price was not paid. */
  amount_cents: number
  currency: string
  /** What was charged or paid back with tax; null if the provider reported no tax. */
  charged: TaxedTotal | null
  /** The receipts that a credit note refers to; null in a receipt. */
  receipt_number: string | null
  /** The first receipt of the order, if this one is for a further payment; null otherwise. */
  further_to: string | null
}

/** The amounts of an order that its receipt lists. */
export interface ListedOrder {
  itemName: string
  amountCents: number
  bundleItemName: string | null
  bundleAmountCents: number | null
}

interface DeliveredItems {
  pack_credits: number | null
  plan: { months: number; credits_per_month: number } | null
}

/** Lists what an order delivered, at the prices of the order. */
export function listItems(order: ListedOrder, { plan, pack_credits }: DeliveredItems): ReceiptLine[] {
  const pack = { credits: pack_credits ?? 0, months: null }
  if (plan === null) return [{ ...pack, name: order.itemName, amount_cents: order.amountCents }]
  const packCents = order.bundleAmountCents ?? 0
  const main = {
    name: order.itemName,
    credits: plan.months * plan.credits_per_month,
    months: plan.months,
    amount_cents: order.amountCents - packCents,
  }
  if (order.bundleItemName === null) return [main]
  return [main, { ...pack, name: order.bundleItemName, amount_cents: packCents }]
}
