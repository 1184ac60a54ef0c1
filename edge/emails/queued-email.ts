import { z } from 'zod'
import { LOCALES } from '../../shared/text/texts.ts'
import { IDENTITY_EMAILS } from '../identity/rules/identity-email.ts'
import { LEGAL_DOCUMENTS } from '../legal/rules/documents.ts'
import { PAYMENT_EMAILS } from '../orders/rules/payment-email.ts'
import { PROVIDER_KINDS } from '../payments/rules/provider-kind.ts'
import { RENEWAL_EMAILS } from '../subscriptions/rules/renewal-email.ts'

/** Template data for each kind of email. The text is rendered when the email is sent. */
export const EmailContents = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('code'),
    code: z.string(),
    minutes: z.int(),
  }),
  z.object({
    kind: z.literal('password_reset'),
    token: z.string(),
    minutes: z.int(),
    has_password: z.boolean(),
  }),
  z.object({
    kind: z.literal('password_changed'),
    at: z.number(),
  }),
  z.object({
    kind: z.literal('identity'),
    status: z.enum(IDENTITY_EMAILS),
    at: z.number(),
  }),
  z.object({
    kind: z.literal('account_deleted'),
    expired_paid_credits: z.int(),
    ends_renewal: z.boolean(),
  }),
  z.object({
    kind: z.literal('webhook_endpoint_disabled'),
    url: z.string(),
    failing_since: z.number(),
  }),
  z.object({
    kind: z.literal('order'),
    order_id: z.string(),
    receipt_token: z.string(),
    items: z.array(
      z.object({
        name: z.string(),
        credits: z.int(),
        months: z.int().nullable(),
        starts_at: z.number().nullable(),
      }),
    ),
    amount_cents: z.int(),
    currency: z.string(),
    paid_at: z.number(),
    provider_kind: z.enum(PROVIDER_KINDS).nullable(),
    charged: z.object({ total_cents: z.int(), tax_cents: z.int(), currency: z.string() }).nullable(),
    seller: z.object({
      name: z.string(),
      address: z.string(),
      country: z.string().nullable(),
      vat_id: z.string().nullable(),
      email: z.string().nullable(),
    }),
    documents: z.array(z.object({ document: z.enum(LEGAL_DOCUMENTS), version: z.string() })),
    period_end: z.number().nullable(),
    renewal: z
      .object({ at: z.number(), amount_cents: z.int(), cancel_token: z.string().nullable().default(null) })
      .nullable(),
  }),
  z.object({
    kind: z.literal('payment'),
    status: z.enum(PAYMENT_EMAILS),
    order_id: z.string(),
    item_name: z.string(),
    price_cents: z.int(),
    paid_cents: z.int(),
    difference_cents: z.int(),
    currency: z.string(),
    credits: z.int().nullable(),
    checkout_url: z.string().nullable(),
    receipt_token: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('refund'),
    status: z.enum(['acknowledged', 'succeeded', 'failed']),
    refund_id: z.string(),
    order_id: z.string(),
    item_name: z.string(),
    amount_cents: z.int(),
    currency: z.string(),
    credits: z.int(),
    withdrawal: z.boolean(),
    declaration: z.boolean(),
    ends_renewal: z.boolean().default(false),
    credits_return: z.boolean().default(true),
    credit_note_token: z.string().nullable(),
    by_hand: z.boolean(),
    note: z.string().nullable(),
    at: z.number(),
  }),
  z.object({
    kind: z.literal('paid_back'),
    order_id: z.string(),
    item_name: z.string(),
    amount_cents: z.int(),
    currency: z.string(),
    at: z.number(),
  }),
  z.object({
    kind: z.literal('renewal'),
    status: z.enum(RENEWAL_EMAILS),
    plan_name: z.string(),
    amount_cents: z.int(),
    currency: z.string(),
    at: z.number(),
    retries_until: z.number().optional(),
    cancel_token: z.string().nullable().default(null),
  }),
  z.object({
    kind: z.literal('jobs'),
    unsubscribe_token: z.string(),
    done: z.int(),
    failed: z.int(),
    jobs: z.array(
      z.object({
        filename: z.string(),
        operation_key: z.string(),
        is_done: z.boolean(),
        error: z.string().nullable(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('news'),
    unsubscribe_token: z.string(),
    subject: z.string(),
    text: z.string(),
  }),
  z.object({
    kind: z.literal('feedback'),
    message: z.string(),
    contact: z.string().nullable(),
    page: z.string().nullable(),
    error: z.string().nullable(),
    from: z.object({ account_id: z.int(), email: z.string() }).nullable(),
    at: z.string(),
  }),
])

/** A queued email, as the outbox stores it. */
export const MailRequest = z.object({
  to: z.string(),
  locale: z.enum(LOCALES),
  content: EmailContents,
  /** After this time, the email is no longer useful and is dropped. */
  useful_until: z.number(),
})
export type MailRequest = z.infer<typeof MailRequest>

export type EmailContents = z.infer<typeof EmailContents>
