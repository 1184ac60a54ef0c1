import { z } from '@hono/zod-openapi'
import { LOCALES } from '../../shared/text/texts.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { flag } from '../jobs/schemas.ts'
import { LEGAL_DOCUMENTS } from '../legal/rules/documents.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { currencyCode, emailAddress, idOf, numberOf } from '../platform/http/schemas/common-fields.ts'
import { cursor, limitOf, offset } from '../platform/http/schemas/page.ts'
import { ORDER_KINDS, ORDER_STATES } from './rules/states.ts'

const itemId = z.int().min(1).openapi({ example: 3 })
const cents = z.int().openapi({ example: 1900 })
/** The maximum number of credits that an administrator may add or remove at once. */
export const CREDITS_MAX = 1_000_000

const CONSENT = { accept_documents: true, accept_immediate: true, consent_locale: 'en' }

const purchase = {
  provider: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .openapi({ description: 'Payment provider. Default: the first open one', example: 'paddle' }),
  accept_documents: z
    .boolean()
    .default(false)
    .openapi({ description: 'Must be true: agreement to the documents', example: true }),
  accept_immediate: z
    .boolean()
    .default(false)
    .openapi({ description: 'Must be true: request for immediate delivery', example: true }),
  consent_locale: z
    .unknown()
    .optional()
    .openapi({
      type: 'string',
      description: `Language of the documents, one of ${LOCALES.join(', ')}; other values are not recorded`,
      example: 'en',
    }),
  terms_version: z.unknown().optional().openapi({
    type: 'string',
    description: 'Ignored: the server records its own version',
    example: '3f2a81c09b7d',
  }),
}

// Not strict, because clients may still send `terms_version`, which is ignored. A missing consent always results in
// a 400 that names it, regardless of what else is sent (Contract: Purchase rule 3).
export const CheckoutRequest = z
  .object({ package_id: itemId.describe('Id of the pack'), ...purchase })
  .openapi('CheckoutRequest', { example: { package_id: 3, provider: 'paddle', ...CONSENT } })

export const SubscribeRequest = z
  .object({
    plan_id: itemId.describe('Id of the plan'),
    // Accepts any number here. A term that the plan is not sold for results in a 400 (Contract: Purchase rule 2).
    months: z.number().default(1).openapi({
      type: 'integer',
      minimum: 1,
      description: 'A term length the plan is sold for',
      example: 3,
    }),
    package_id: itemId.optional().describe('Pack to add to the plan as a bundle'),
    ...purchase,
    auto_renew: z
      .boolean()
      .default(false)
      .openapi({ description: 'True to renew the plan automatically', example: true }),
    accept_recurring: z
      .boolean()
      .default(false)
      .openapi({ description: 'Must be true if auto_renew is true', example: true }),
  })
  .openapi('SubscribeRequest', {
    example: {
      ...{ plan_id: 2, months: 3, provider: 'paddle', ...CONSENT },
      ...{ auto_renew: true, accept_recurring: true },
    },
  })

const orderStatus = z.enum(ORDER_STATES).openapi({ description: 'State of the order', example: 'waiting' })
const providerName = z.string().openapi({ description: 'Name of the payment provider', example: 'paddle' })

export const CheckoutOut = z
  .object({
    order_id: idOf('order'),
    redirect_url: z.url().openapi({
      description: 'Hosted checkout page, to be opened in a browser',
      example: 'https://checkout.example.com/pay/81f2',
    }),
    status: orderStatus,
    provider: providerName,
    balance: z
      .int()
      .openapi({ description: 'Current balance; the order adds credits when it is paid', example: 520 }),
  })
  .openapi('CheckoutOut')

const RECEIPT_URL = 'https://media.example.com/api/v1/billing/receipts/7d1f4a52-93c6-4c0e-8a3b-5f2d9e6b1c40'

export const OrderRow = z
  .object({
    order_id: idOf('order').describe('Order number for support requests'),
    kind: z.enum(ORDER_KINDS).describe('`package` for a pack, `subscription` for a plan'),
    item_name: z.string().openapi({ description: 'Name of the plan or pack', example: 'Pro' }),
    credits: z.int().openapi({ description: 'For a plan, credits of the whole term', example: 6000 }),
    months: z
      .int()
      .nullable()
      .openapi({ description: 'Length of the term in months; null for a pack', example: 3 }),
    extends_term: z
      .boolean()
      .openapi({ description: 'True if the order extends the running term', example: false }),
    amount_cents: cents.describe('Total amount, including the pack of a bundle'),
    currency: currencyCode,
    actually_paid_cents: cents.describe('Amount that was paid so far, before tax'),
    total_cents: z.int().nullable().openapi({
      description: 'What the payer was charged with tax; null if the provider reports no tax, or before it',
      example: 2280,
    }),
    tax_cents: z
      .int()
      .nullable()
      .openapi({ description: 'The tax in total_cents; null as total_cents', example: 380 }),
    total_currency: currencyCode
      .nullable()
      .describe('Currency of total_cents and tax_cents, in which the payer paid; null as total_cents'),
    status: orderStatus,
    credited_at: Timestamp.nullable().describe('Time at which the credits landed; null before'),
    bundle_item_name: z.string().nullable().openapi({
      description: 'Name of the pack of a bundle; null for other orders',
      example: '500 credits',
    }),
    bundle_credits: z
      .int()
      .nullable()
      .openapi({ description: 'Credits of the pack of a bundle; null for other orders', example: 500 }),
    bundle_amount_cents: cents.nullable().describe('Price of the pack of a bundle; null for other orders'),
    bundle_discount_pct: z.int().nullable().openapi({
      description: 'Discount on the pack of a bundle in percent; null for other orders',
      example: 10,
    }),
    provider: providerName,
    auto_renew: z.boolean().openapi({ description: 'True if the plan renews automatically', example: false }),
    created_at: Timestamp.describe('Time of the order'),
    receipt_number: z
      .string()
      .nullable()
      .openapi({ description: 'Number of the receipt; null until it is issued', example: 'R-000042' }),
    receipt_url: z.url().nullable().openapi({
      description:
        'Page of the receipt; with `?format=pdf`, its PDF. Everyone who has the URL can read it. null until it is issued',
      example: RECEIPT_URL,
    }),
    further_receipts: z
      .array(
        z.object({
          receipt_number: z.string().openapi({ description: 'Number of the receipt', example: 'R-000051' }),
          receipt_url: z.url().openapi({ description: 'Page of the receipt', example: RECEIPT_URL }),
        }),
      )
      .describe('Receipts of money that was received later and kept; almost always empty'),
  })
  .openapi('OrderRow')

const AcceptedDocument = z
  .object({
    document: z.enum(LEGAL_DOCUMENTS).describe('Document'),
    locale: z.enum(LOCALES).describe('Language of the text'),
    version: z.string().openapi({
      description: 'Version, which is readable at /{document}/{version}',
      example: '3f2a81c09b7d',
    }),
    sha256: z.string().openapi({
      description: 'SHA-256 of the text, which is at /{document}/{version}.md',
      example: '3f2a81c09b7d5be0c1a2b3d4e5f60718293a4b5c6d7e8f90123456789abcdef0',
    }),
  })
  .openapi('AcceptedDocument')

export const PaymentRecord = OrderRow.extend({
  account_id: numberOf('account'),
  email: emailAddress,
  refused_cents: cents.describe(
    'Part of the payment that an administrator refused; it does not count toward the price',
  ),
  surplus_cents: cents.describe(
    'Money beyond what the order delivered; it waits for an administrator, who credits it or pays it back',
  ),
  surplus_credited_cents: cents.describe('Part of the payment beyond the price for which credits were added'),
  provider_reference: z.string().nullable().openapi({
    description: "The provider's reference for the payment; null before it",
    example: 'txn_01hv8x',
  }),
  terms_version: z
    .string()
    .openapi({ description: 'Version of the terms that were accepted', example: '3f2a81c09b7d' }),
  accepted_documents: z.array(AcceptedDocument).describe('Texts that were accepted with the purchase'),
  consent_locale: z.enum(LOCALES).nullable().describe('null if not recorded'),
}).openapi('PaymentRecord')

const page = {
  limit: limitOf(100, 500),
  offset,
  cursor,
}

export const PaymentsQuery = z.object(page)

export const AdminPaymentsQuery = z.object({
  ...page,
  payment_status: z.enum(ORDER_STATES).optional().describe('Only orders in this state'),
  has_surplus: flag.optional().describe('True: only orders with a surplus that waits for an administrator'),
})

export const OrderPath = z.object({ order_id: z.string().min(1).max(64).describe('Id of the order') })

export const ProviderPath = z.object({
  provider: z.string().min(1).max(64).describe('Name of the payment provider'),
})

export const CallbackReceived = z
  .object({ received: z.literal(true).describe('Always true: the event is stored') })
  .openapi('CallbackReceived')

export const ResolvePaymentRequest = z
  .strictObject({
    action: z
      .enum(['full_grant', 'pro_rata_grant', 'refuse', 'credit_surplus', 'return_surplus'])
      .describe(
        '`pro_rata_grant` grants the paid share, in whole credits; for a plan, the same share of each month. ' +
          '`credit_surplus` adds credits for the surplus at the price of the order; `return_surplus` records that ' +
          'it was paid back by hand',
      ),
    note: z
      .string()
      .max(1000)
      .optional()
      .openapi({ description: 'Reason, for the audit log', example: 'Agreed by email' }),
  })
  .openapi('ResolvePaymentRequest')

export const ManualTopUpRequest = z
  .strictObject({
    account_id: itemId.optional().describe('Id of the account; alternative to `email`'),
    email: z
      .string()
      .min(1)
      .max(254)
      .overwrite(asciiEmail)
      .optional()
      .openapi({ description: 'Email address of the account', example: 'ada@example.com' }),
    credits: z
      .int()
      .min(-CREDITS_MAX)
      .max(CREDITS_MAX)
      .refine((credits) => credits !== 0, schemaFault('zero_credits'))
      .openapi({
        description: 'Positive adds credits that never expire; negative removes credits, at most the balance',
        example: 100,
      }),
    note: z
      .string()
      .max(1000)
      .optional()
      .openapi({ description: 'Reason; required if credits is negative', example: 'Goodwill' }),
  })
  .refine(({ account_id, email }) => (account_id === undefined) !== (email === undefined), {
    ...schemaFault('ambiguous_account'),
    path: ['account_id'],
  })
  .refine(({ credits, note }) => credits > 0 || (note !== undefined && note.trim() !== ''), {
    ...schemaFault('note_missing'),
    path: ['note'],
  })
  .openapi('ManualTopUpRequest', {
    example: { email: 'ada@example.com', credits: 100, note: 'Goodwill' },
  })
