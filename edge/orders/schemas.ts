import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { LOCALES } from '../platform/http/rules/locale.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { ORDER_KINDS, ORDER_STATES } from './rules/states.ts'

const itemId = z.int().min(1)
const cents = z.int()
/** What an administrator adds or removes at once. */
export const CREDITS_MAX = 1_000_000

const purchase = {
  provider: z.string().min(1).max(64).optional().describe('By default the first of the open ones'),
  accept_documents: z.boolean().default(false).describe('Must be true: agreement to the documents'),
  accept_immediate: z.boolean().default(false).describe('Must be true: delivery at once is asked for'),
  consent_locale: z
    .unknown()
    .optional()
    .openapi({ type: 'string', description: `One of ${LOCALES.join(', ')}; anything else is unrecorded` }),
  terms_version: z
    .unknown()
    .optional()
    .openapi({ type: 'string', description: 'Ignored: the server stamps its own' }),
}

export const CheckoutRequest = z.object({ package_id: itemId, ...purchase }).openapi('CheckoutRequest')

export const SubscribeRequest = z
  .object({
    plan_id: itemId,
    // Whatever number it is: what the plan isn't sold for is a 400 (Contract: Purchase rule 2).
    months: z
      .number()
      .default(1)
      .openapi({ type: 'integer', minimum: 1, description: "One of the months in the plan's terms" }),
    package_id: itemId.optional().describe('A pack beside the plan: a bundle'),
    ...purchase,
    auto_renew: z.boolean().default(false),
    accept_recurring: z.boolean().default(false).describe('Must be true where auto_renew is'),
  })
  .openapi('SubscribeRequest')

export const CheckoutOut = z
  .object({
    order_id: z.string(),
    redirect_url: z.url().describe('The hosted checkout page, to be opened in a browser'),
    status: z.enum(ORDER_STATES),
    provider: z.string(),
    balance: z.int().describe('As it is now: credits land when the order is paid'),
  })
  .openapi('CheckoutOut')

export const OrderRow = z
  .object({
    order_id: z.string().describe('Quotable to support'),
    kind: z.enum(ORDER_KINDS),
    item_name: z.string(),
    credits: z.int().describe('On a plan those of the whole term'),
    months: z.int().nullable(),
    extends_term: z.boolean(),
    amount_cents: cents.describe("All of it, a bundle's pack included"),
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
    'Of what was paid, the part that an administrator refused: it no longer counts',
  ),
  provider_reference: z.string().nullable().describe("The provider's own name for the payment"),
  terms_version: z.string(),
  consent_locale: z.enum(LOCALES).nullable().describe('null: unrecorded'),
}).openapi('PaymentRecord')

const page = {
  limit: wholeNumberOr(100, { min: 1, max: 500 }),
  offset,
}

export const PaymentsQuery = z.object(page)

export const AdminPaymentsQuery = z.object({ ...page, payment_status: z.enum(ORDER_STATES).optional() })

export const OrderPath = z.object({ order_id: z.string().min(1).max(64) })

export const ProviderPath = z.object({ provider: z.string().min(1).max(64) })

export const CallbackTaken = z.object({ received: z.literal(true) }).openapi('CallbackTaken')

export const ResolvePaymentRequest = z
  .object({
    action: z
      .enum(['full_grant', 'pro_rata_grant', 'refuse'])
      .describe('pro_rata_grant: the part that was paid for, in whole credits, of each month on a plan'),
    note: z.string().max(1000).optional(),
  })
  .openapi('ResolvePaymentRequest')

export const ManualTopUpRequest = z
  .object({
    account_id: itemId.optional(),
    email: z.string().min(1).max(254).overwrite(asciiEmail).optional(),
    credits: z
      .int()
      .min(-CREDITS_MAX)
      .max(CREDITS_MAX)
      .refine((credits) => credits !== 0, schemaFault('zero_credits'))
      .describe('Positive adds credits that never expire; negative removes credits, down to a balance of 0'),
    note: z.string().max(1000).optional().describe('The reason; required when credits is negative'),
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
