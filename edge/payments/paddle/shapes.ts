import { z } from 'zod'

/**
 * The fields that this client reads from Paddle Billing entities (API version 1). Amounts are sent as text, in
 * cents.
 */
const Cents = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number)

/** The unit price is in the currency in which the item was priced. */
const Item = z.object({
  quantity: z.number().int(),
  price: z.object({ unit_price: z.object({ amount: Cents, currency_code: z.string() }) }).nullish(),
})

const Totals = z.object({ subtotal: Cents, discount: Cents.default(0) })
/** `total` includes the tax. */
const Taxed = z.object({ subtotal: Cents, tax: Cents, total: Cents })

export const Transaction = z.object({
  id: z.string(),
  status: z.string(),
  origin: z.string(),
  custom_data: z.record(z.string(), z.unknown()).nullish(),
  currency_code: z.string(),
  subscription_id: z.string().nullish(),
  items: z.array(Item).default([]),
  details: z.object({
    totals: Taxed.extend(Totals.shape),
    line_items: z.array(z.object({ id: z.string().optional(), totals: Totals })),
  }),
  checkout: z.object({ url: z.string().nullish() }).nullish(),
})
export type Transaction = z.infer<typeof Transaction>

/** A transaction with its customer, which only a request for it includes. */
/** The address may have a form that our own rules refuse. */
export const PaidTransaction = z.object({ customer: z.object({ email: z.string() }).nullish() })

/** The PDF of an invoice, which Paddle signs for one hour. */
export const Invoice = z.object({ url: z.url({ protocol: /^https?$/ }) })

export const Subscription = z.object({
  id: z.string(),
  status: z.string(),
  /** Links with temporary tokens, which only responses of the API contain. */
  management_urls: z.object({ update_payment_method: z.url().nullish() }).nullish(),
})

export const Adjustment = z.object({
  id: z.string(),
  action: z.string(),
  /** "full" means the whole transaction. */
  type: z.string().nullish(),
  status: z.string(),
  reason: z.string(),
  transaction_id: z.string(),
  subscription_id: z.string().nullish(),
  currency_code: z.string().nullish(),
  totals: Taxed.nullish(),
})
export type Adjustment = z.infer<typeof Adjustment>

export const PaddleEvent = z.object({
  event_id: z.string().min(1),
  event_type: z.string(),
  occurred_at: z.iso.datetime({ offset: true }),
  data: z.unknown(),
})

export const Answered = z.object({ data: z.unknown() })

/** Paddle's error response. */
export const PaddleError = z.object({ error: z.object({ code: z.string() }) })
