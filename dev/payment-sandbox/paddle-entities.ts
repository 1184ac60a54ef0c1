import type { Mandate, Payment, Refund } from './state.ts'

/** A made-up tax rate, which exposes code that counts tax as revenue. */
export const TAX_PCT = 20

export function taxOf(cents: number): number {
  return Math.round((cents * TAX_PCT) / 100)
}

const STATUSES: Record<Payment['status'], string> = {
  open: 'ready',
  confirming: 'paid',
  partially_paid: 'ready',
  paid: 'completed',
  past_due: 'past_due',
  expired: 'canceled',
  failed: 'canceled',
}

const iso = (time: number) => new Date(time).toISOString()

/** Formats a transaction as Paddle Billing does. */
export function describeTransaction(payment: Payment, sandboxUrl: string) {
  const { reference, amount_cents, currency, description, renews_every_days, created_at, updated_at } =
    payment
  const tax = taxOf(amount_cents)
  const totals = {
    subtotal: String(amount_cents),
    discount: '0',
    tax: String(tax),
    total: String(amount_cents + tax),
  }
  const tail = reference.slice(4)
  const status = STATUSES[payment.status]
  const isCaptured = status === 'paid' || status === 'completed'
  const product = {
    id: `pro_${tail}`,
    name: description,
    description: null,
    type: 'custom',
    tax_category: 'standard',
    image_url: null,
    custom_data: null,
    status: 'active',
    created_at: iso(created_at),
    updated_at: iso(created_at),
  }
  const price = {
    id: `pri_${tail}`,
    product_id: product.id,
    description: `Order ${payment.order_id}`,
    type: 'custom',
    name: description,
    billing_cycle: renews_every_days === null ? null : { interval: 'day', frequency: renews_every_days },
    trial_period: null,
    tax_mode: 'external',
    unit_price: { amount: String(amount_cents), currency_code: currency },
    unit_price_overrides: [],
    custom_data: null,
    quantity: { minimum: 1, maximum: 1 },
    status: 'active',
  }
  const attempt = {
    payment_attempt_id: crypto.randomUUID(),
    stored_payment_method_id: null,
    amount: totals.total,
    status: isCaptured ? 'captured' : 'error',
    error_code: isCaptured ? null : 'declined',
    method_details: {
      type: 'card',
      card: { type: 'visa', last4: '4242', expiry_year: 2039, expiry_month: 1, cardholder_name: 'Sandbox' },
    },
    created_at: iso(updated_at),
    captured_at: isCaptured ? iso(updated_at) : null,
  }
  const allTotals = {
    ...totals,
    credit: '0',
    credit_to_balance: '0',
    balance: isCaptured ? '0' : totals.total,
    grand_total: totals.total,
    grand_total_tax: totals.tax,
    fee: null,
    earnings: null,
    currency_code: currency,
  }
  return {
    id: reference,
    status,
    customer_id: null,
    address_id: null,
    business_id: null,
    custom_data: payment.custom_data,
    currency_code: currency,
    origin: payment.origin === 'renewal' ? 'subscription_recurring' : 'api',
    // Paddle sets this field only after it has processed the payment.
    subscription_id: status === 'paid' && payment.origin === 'checkout' ? null : payment.mandate,
    invoice_id: null,
    invoice_number: null,
    collection_mode: 'automatic',
    discount_id: null,
    billing_details: null,
    billing_period: null,
    items: [{ price, quantity: 1, proration: null }],
    details: {
      tax_rates_used: [{ tax_rate: String(TAX_PCT / 100), totals }],
      totals: allTotals,
      adjusted_totals: allTotals,
      payout_totals: null,
      adjusted_payout_totals: null,
      line_items: [
        {
          id: payment.part_id,
          price_id: price.id,
          quantity: 1,
          proration: null,
          tax_rate: String(TAX_PCT / 100),
          unit_totals: totals,
          totals,
          product,
        },
      ],
    },
    payments: isCaptured || payment.was_declined || status === 'past_due' ? [attempt] : [],
    checkout: { url: `${sandboxUrl}/checkout/${reference}` },
    created_at: iso(created_at),
    updated_at: iso(updated_at),
    billed_at: isCaptured ? iso(updated_at) : null,
    revised_at: null,
  }
}

/** Formats the customer that the payer became at checkout. Returns null before the payment. */
export function describeCustomer({ reference, order_id, status, created_at }: Payment) {
  if (STATUSES[status] !== 'paid' && STATUSES[status] !== 'completed') return null
  const at = iso(created_at)
  return {
    id: paddleTail('ctm', reference),
    name: null,
    email: `payer-of-${order_id}@example.com`,
    marketing_consent: false,
    status: 'active',
    custom_data: null,
    locale: 'en',
    created_at: at,
    updated_at: at,
    import_meta: null,
  }
}

/** Formats a subscription as Paddle Billing does. */
export function describeSubscription(mandate: Mandate) {
  const next = mandate.next_charge_at === null ? null : iso(mandate.next_charge_at)
  const [started, updated] = [iso(mandate.started_at), iso(mandate.updated_at)]
  return {
    id: mandate.id,
    status: mandate.status,
    customer_id: paddleTail('ctm', mandate.id),
    address_id: paddleTail('add', mandate.id),
    business_id: null,
    currency_code: mandate.currency,
    created_at: started,
    updated_at: updated,
    started_at: started,
    first_billed_at: started,
    next_billed_at: next,
    paused_at: mandate.status === 'paused' ? updated : null,
    canceled_at: mandate.status === 'canceled' ? updated : null,
    discount: null,
    collection_mode: 'automatic',
    billing_details: null,
    current_billing_period: next === null ? null : { starts_at: updated, ends_at: next },
    billing_cycle: { interval: 'day', frequency: mandate.every_days },
    scheduled_change: null,
    items: [],
    custom_data: { order_id: mandate.order_id },
  }
}

/** Formats an adjustment as Paddle Billing does. */
export function describeAdjustment(refund: Refund, payment: Payment) {
  const tax = taxOf(refund.amount_cents)
  const totals = {
    subtotal: String(refund.amount_cents),
    tax: String(tax),
    total: String(refund.amount_cents + tax),
  }
  return {
    id: refund.id,
    action: refund.action,
    type: refund.type,
    transaction_id: refund.transaction,
    subscription_id: payment.mandate,
    customer_id: paddleTail('ctm', refund.transaction),
    reason: refund.reason,
    credit_applied_to_balance: null,
    currency_code: payment.currency,
    status: refund.status,
    items: [
      {
        id: paddleTail('adjitm', refund.id),
        item_id: payment.part_id,
        type: refund.type,
        amount: totals.total,
        proration: null,
        totals,
      },
    ],
    totals: { ...totals, fee: '0', earnings: '0', currency_code: payment.currency },
    payout_totals: null,
    tax_rates_used: [],
    created_at: iso(refund.created_at),
    updated_at: iso(refund.updated_at),
  }
}

function paddleTail(prefix: string, id: string): string {
  return `${prefix}_${id.slice(id.indexOf('_') + 1)}`
}
