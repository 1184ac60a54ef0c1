import { z } from '@hono/zod-openapi'
import { LOCALES } from '../../shared/text/texts.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { ORDER_KINDS, ORDER_STATES } from './rules/states.ts'

const itemId = z.int().min(1)
const cents = z.int()
/** The maximum number of credits that an administrator may add or remove at once. */
export const CREDITS_MAX = 1_000_000

const purchase = {
  provider: z.string().min(1).max(64).optional().describe('Defaults to the first open provider'),
  accept_documents: z.boolean().default(false).describe('Must be true: agreement to the documents'),
  accept_immediate: z.boolean().default(false).describe('Must be true: request for immediate delivery'),
  consent_locale: z
    .unknown()
    .optional()
    .openapi({ type: 'string', description: `One of ${LOCALES.join(', ')}; other values are not recorded` }),
  terms_version: z
    .unknown()
    .optional()
    .openapi({ type: 'string', description: 'Ignored: the server records its own version' }),
}

// Not strict, because clients may still send `terms_version`, which is ignored. A missing consent always results in
// a 400 that names it, regardless of what else is sent (Contract: Purchase rule 3).
export const CheckoutRequest = z.object({ package_id: itemId, ...purchase }).openapi('CheckoutRequest')

export const SubscribeRequest = z
  .object({
    plan_id: itemId,
    // Accepts any number here. A term that the plan is not sold for results in a 400 (Contract: Purchase rule 2).
    months: z
      .number()
      .default(1)
      .openapi({ type: 'integer', minimum: 1, description: 'A term length the plan is sold for' }),
    package_id: itemId.optional().describe('Pack to add to the plan as a bundle'),
    ...purchase,
    auto_renew: z.boolean().default(false).describe('True to renew the plan automatically'),
    accept_recurring: z.boolean().default(false).describe('Must be true if auto_renew is true'),
  })
  .openapi('SubscribeRequest')

export const CheckoutOut = z
  .object({
    order_id: z.string(),
    redirect_url: z.url().describe('Hosted checkout page, to be opened in a browser'),
    status: z.enum(ORDER_STATES),
    provider: z.string(),
    balance: z.int().describe('Current balance; the order adds credits when it is paid'),
  })
  .openapi('CheckoutOut')

export const OrderRow = z
  .object({
    order_id: z.string().describe('Order number for support requests'),
    kind: z.enum(ORDER_KINDS),
    item_name: z.string(),
    credits: z.int().describe('For a plan, credits of the whole term'),
    months: z.int().nullable(),
    extends_term: z.boolean(),
    amount_cents: cents.describe('Total amount, including the pack of a bundle'),
    currency: z.string(),
    actually_paid_cents: cents,
    status: z.enum(ORDER_STATES),
    credited_at: Timestamp.nullable(),
    bundle_item_name: z.string().nullable(),
    bundle_credits: z.int().nullable(),
    bundle_amount_cents: cents.nullable(),
    bundle_discount_pct: z.int().nullable(),
    provider: z.string(),
    auto_renew: z.boolean(),
    created_at: Timestamp,
  })
  .openapi('OrderRow')

export const PaymentRecord = OrderRow.extend({
  account_id: z.int(),
  email: z.string(),
  refused_cents: cents.describe(
    'Part of the payment that an administrator refused; it does not count toward the price',
  ),
  provider_reference: z.string().nullable().describe("The provider's reference for the payment"),
  terms_version: z.string(),
  consent_locale: z.enum(LOCALES).nullable().describe('null if not recorded'),
}).openapi('PaymentRecord')

const page = {
  limit: wholeNumberOr(100, { min: 1, max: 500 }),
  offset,
}

export const PaymentsQuery = z.object(page)

export const AdminPaymentsQuery = z.object({ ...page, payment_status: z.enum(ORDER_STATES).optional() })

export const OrderPath = z.object({ order_id: z.string().min(1).max(64) })

export const ProviderPath = z.object({ provider: z.string().min(1).max(64) })

export const CallbackReceived = z.object({ received: z.literal(true) }).openapi('CallbackReceived')

export const ResolvePaymentRequest = z
  .strictObject({
    action: z
      .enum(['full_grant', 'pro_rata_grant', 'refuse'])
      .describe(
        '`pro_rata_grant` grants the paid share, in whole credits; for a plan, the same share of each month',
      ),
    note: z.string().max(1000).optional(),
  })
  .openapi('ResolvePaymentRequest')

export const ManualTopUpRequest = z
  .strictObject({
    account_id: itemId.optional(),
    email: z.string().min(1).max(254).overwrite(asciiEmail).optional(),
    credits: z
      .int()
      .min(-CREDITS_MAX)
      .max(CREDITS_MAX)
      .refine((credits) => credits !== 0, schemaFault('zero_credits'))
      .describe('Positive adds credits that never expire; negative removes credits, at most the balance'),
    note: z.string().max(1000).optional().describe('Reason; required if credits is negative'),
  })
  .refine(({ account_id, email }) => (account_id === undefined) !== (email === undefined), {
    ...schemaFault('ambiguous_account'),
    path: ['account_id'],
  })
  .refine(({ credits, note }) => credits > 0 || (note !== undefined && note.trim() !== ''), {
    ...schemaFault('note_missing'),
    path: ['note'],
  })
  .openapi('ManualTopUpRequest')
