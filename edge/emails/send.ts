import { z } from 'zod'
import { LOCALES } from '../../shared/text/texts.ts'
import { isErasedAddress } from '../account-deletion/rules/deletion.ts'
import { writeDeletionEmail } from '../account-deletion/rules/deletion-email.ts'
import { writeCodeEmail } from '../accounts/rules/code-email.ts'
import type { Deps } from '../deps.ts'
import { writeFeedbackEmail } from '../feedback/rules/feedback-email.ts'
import { findByToken } from '../notifications/queries.ts'
import { writeJobSummary } from '../notifications/rules/job-summary-email.ts'
import { unsubscribeUrl } from '../notifications/rules/preferences.ts'
import { writeProductNews } from '../notifications/rules/product-news-email.ts'
import { writeOrderEmail } from '../orders/rules/confirmation-email.ts'
import { writePasswordChangedEmail, writeResetEmail } from '../password-resets/rules/password-email.ts'
import { resetUrl } from '../password-resets/rules/reset-link.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { writeRefundEmail } from '../refunds/rules/refund-email.ts'
import { cancelRenewalUrl } from '../subscriptions/rules/cancel-link.ts'
import { RENEWAL_EMAILS, writeRenewalEmail } from '../subscriptions/rules/renewal-email.ts'
import { writeEndpointEmail } from '../webhooks/rules/endpoint-email.ts'
import { type RenderedEmail, withUnsubscribe } from './rules/email.ts'

/** Template data for each kind of email. The text is rendered when the email is sent. */
const Content = z.discriminatedUnion('kind', [
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
    kind: z.literal('account_deleted'),
    lapsed_paid_credits: z.int(),
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
    items: z.array(z.object({ name: z.string(), credits: z.int(), months: z.int().nullable() })),
    amount_cents: z.int(),
    currency: z.string(),
    paid_at: z.number(),
    terms_version: z.string(),
    period_end: z.number().nullable(),
    renewal: z
      .object({ at: z.number(), amount_cents: z.int(), cancel_token: z.string().nullable().default(null) })
      .nullable(),
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
    ends_renewal: z.boolean().default(false),
    by_hand: z.boolean(),
    note: z.string().nullable(),
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
const MailRequest = z.object({
  to: z.string(),
  locale: z.enum(LOCALES),
  content: Content,
  /** After this time, the email is no longer useful and is dropped. */
  useful_until: z.number(),
})
export type MailRequest = z.infer<typeof MailRequest>

/**
 * Returns the effect that sends an email.
 * @param id identifies the email by its cause, so each cause sends only one.
 */
export function mailEffect(id: string, request: MailRequest): Effect {
  return { id: `mail:${id}`, kind: 'mail', payload: request }
}

/** Sends an email from the outbox. Throws if the mail server does not accept it, so the outbox retries. */
export async function sendQueuedEmail(deps: Deps, id: string, payload: unknown): Promise<void> {
  const { to, locale, content, useful_until } = MailRequest.parse(payload)
  if (useful_until <= deps.clock.now() || isErasedAddress(to)) return
  if (deps.mailer === null) throw new Error('no mail server is configured')
  if (!(await isStillWanted(deps, content))) return
  const email = renderEmail(content, locale, deps.env.PUBLIC_URL)
  await deps.mailer.send(id.replaceAll(':', '.'), to, email)
}

/**
 * Checks the subscription again: the email may wait a long time, and the recipient may unsubscribe in the meantime.
 */
async function isStillWanted({ db }: Deps, content: z.infer<typeof Content>): Promise<boolean> {
  if (content.kind !== 'jobs' && content.kind !== 'news') return true
  const preferences = await findByToken(db, content.unsubscribe_token)
  if (preferences === undefined) return false
  return content.kind === 'jobs' ? preferences.jobNotifications !== 'off' : preferences.productNews
}

function renderEmail(
  content: z.infer<typeof Content>,
  locale: MailRequest['locale'],
  url: string,
): RenderedEmail {
  const site = new URL(url).host
  const cancelUrl = (token: string | null) => (token === null ? null : cancelRenewalUrl(url, token, locale))
  const withLink = <Charge extends { cancel_token: string | null }>(charge: Charge | null) =>
    charge && { ...charge, cancel_url: cancelUrl(charge.cancel_token) }
  switch (content.kind) {
    case 'jobs':
    case 'news': {
      const email =
        content.kind === 'jobs'
          ? writeJobSummary(content, locale, site)
          : writeProductNews(content, locale, site)
      return withUnsubscribe(email, locale, unsubscribeUrl(url, content.unsubscribe_token, content.kind))
    }
    case 'code':
      return writeCodeEmail(content, locale, site)
    case 'password_reset':
      return writeResetEmail({ ...content, url: resetUrl(url, content.token, locale) }, locale, site)
    case 'password_changed':
      return writePasswordChangedEmail(content.at, locale, site)
    case 'account_deleted':
      return writeDeletionEmail(content, locale, site)
    case 'webhook_endpoint_disabled':
      return writeEndpointEmail(content, locale, site)
    case 'order':
      return writeOrderEmail({ ...content, renewal: withLink(content.renewal) }, locale, site)
    case 'refund':
      return writeRefundEmail(content, locale, site)
    case 'renewal':
      return writeRenewalEmail({ ...content, cancel_url: cancelUrl(content.cancel_token) }, locale, site)
    case 'feedback':
      return writeFeedbackEmail(content, site)
  }
}
