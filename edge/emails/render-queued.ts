import { writeDeletionEmail } from '../account-deletion/rules/deletion-email.ts'
import { writeCodeEmail } from '../accounts/rules/code-email.ts'
import { writeFeedbackEmail } from '../feedback/rules/feedback-email.ts'
import { writeIdentityEmail } from '../identity/rules/identity-email.ts'
import { pathOf } from '../legal/rules/documents.ts'
import { writeJobSummary } from '../notifications/rules/job-summary-email.ts'
import { unsubscribeUrl } from '../notifications/rules/preferences.ts'
import { writeProductNews } from '../notifications/rules/product-news-email.ts'
import { writeOrderEmail } from '../orders/rules/confirmation-email.ts'
import { writePaymentEmail } from '../orders/rules/payment-email.ts'
import { writePasswordChangedEmail, writeResetEmail } from '../password-resets/rules/password-email.ts'
import { resetUrl } from '../password-resets/rules/reset-link.ts'
import { writePaybackEmail } from '../payments/rules/payback-email.ts'
import { receiptUrl } from '../receipts/rules/receipt-link.ts'
import { writeRefundEmail } from '../refunds/rules/refund-email.ts'
import { withdrawalDeadline } from '../refunds/rules/withdrawal-deadline.ts'
import { cancelRenewalUrl } from '../subscriptions/rules/cancel-link.ts'
import { paymentMethodUrl } from '../subscriptions/rules/payment-method-url.ts'
import { writeRenewalEmail } from '../subscriptions/rules/renewal-email.ts'
import { writeEndpointEmail } from '../webhooks/rules/endpoint-email.ts'
import type { EmailContents, MailRequest } from './queued-email.ts'
import type { EmailContent } from './rules/content.ts'
import { type RenderedEmail, renderEmail } from './rules/email.ts'

const WITHDRAWAL_DAYS_MIN = 14

interface Service {
  /** Public URL of the service. */
  url: string
  /** How to contact support; empty if administrators named no contact. */
  support: string
  /** Period of the statutory right of withdrawal. */
  withdrawal_days?: number
}

/**
 * Renders a queued email.
 */
export function renderQueued(
  content: EmailContents,
  locale: MailRequest['locale'],
  { url, support, withdrawal_days = WITHDRAWAL_DAYS_MIN }: Service,
): RenderedEmail {
  const site = new URL(url).host
  // The operator's own email is in English.
  const language = content.kind === 'feedback' ? 'en' : locale
  return renderEmail(writeContent(content, locale, { url, site, withdrawal_days }), language, {
    site,
    support,
  })
}

function writeContent(
  content: EmailContents,
  locale: MailRequest['locale'],
  { url, site, withdrawal_days }: { url: string; site: string; withdrawal_days: number },
): EmailContent {
  const cancelUrl = (token: string | null) => (token === null ? null : cancelRenewalUrl(url, token, locale))
  const withLink = <Charge extends { cancel_token: string | null }>(charge: Charge | null) =>
    charge && { ...charge, cancel_url: cancelUrl(charge.cancel_token) }
  switch (content.kind) {
    case 'jobs':
      return writeJobSummary(content, locale, site, unsubscribeUrl(url, content.unsubscribe_token, 'jobs'))
    case 'news':
      return writeProductNews(content, locale, unsubscribeUrl(url, content.unsubscribe_token, 'news'))
    case 'code':
      return writeCodeEmail(content, locale, site)
    case 'password_reset':
      return writeResetEmail({ ...content, url: resetUrl(url, content.token, locale) }, locale, site)
    case 'password_changed':
      return writePasswordChangedEmail(content.at, locale, site)
    case 'identity':
      return writeIdentityEmail(content, locale, site)
    case 'account_deleted':
      return writeDeletionEmail(content, locale, site)
    case 'webhook_endpoint_disabled':
      return writeEndpointEmail(content, locale, site)
    case 'order':
      return writeOrderEmail(
        {
          ...content,
          receipt_url: receiptUrl(url, content.receipt_token),
          renewal: withLink(content.renewal),
          documents: content.documents.map((each) => ({ ...each, url: `${url}${pathOf(each)}` })),
          withdrawal_deadline: withdrawalDeadline(content.paid_at, withdrawal_days),
          url,
        },
        locale,
        site,
      )
    case 'payment': {
      const { receipt_token: token } = content
      return writePaymentEmail({ ...content, receipt_url: token && receiptUrl(url, token) }, locale)
    }
    case 'paid_back':
      return writePaybackEmail(content, locale)
    case 'refund': {
      const { credit_note_token: token } = content
      return writeRefundEmail({ ...content, credit_note_url: token && receiptUrl(url, token) }, locale)
    }
    case 'renewal': {
      const hasFailed = content.status === 'failed' || content.status === 'failed_prepaid'
      const payment_method_url = hasFailed ? paymentMethodUrl(url, locale) : null
      const cancel_url = cancelUrl(content.cancel_token)
      return writeRenewalEmail({ ...content, cancel_url, payment_method_url }, locale)
    }
    case 'feedback':
      return writeFeedbackEmail(content, site)
  }
}
