import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '../../../shared/text/texts.ts'
import { writeJobSummary } from '../../notifications/rules/job-summary-email.ts'
import { writeOrderEmail } from '../../orders/rules/confirmation-email.ts'
import { writeRefundEmail } from '../../refunds/rules/refund-email.ts'
import { writeRenewalEmail } from '../../subscriptions/rules/renewal-email.ts'
import type { RenderedEmail } from './email.ts'

const SITE = 'media.example.com'
const NOW = Date.UTC(2027, 1, 18)

const order = (locale: Locale) =>
  writeOrderEmail(
    {
      order_id: 'O-7K3M-9QXT',
      items: [
        { name: 'Pro', credits: 6000, months: 3 },
        { name: 'Large', credits: 500, months: null },
      ],
      amount_cents: 2_990,
      currency: 'USD',
      paid_at: NOW,
      terms_version: '1',
      period_end: NOW,
      renewal: { at: NOW, amount_cents: 2_990, cancel_url: null },
    },
    locale,
    SITE,
  )
const refund = (status: 'acknowledged' | 'failed') => (locale: Locale) =>
  writeRefundEmail(
    {
      status,
      refund_id: 'R',
      order_id: 'O',
      item_name: 'Pro',
      amount_cents: 1,
      currency: 'USD',
      credits: 7,
      withdrawal: false,
      ends_renewal: true,
      by_hand: false,
      note: null,
      at: NOW,
    },
    locale,
    SITE,
  )
const failedRenewal = (locale: Locale) =>
  writeRenewalEmail(
    { status: 'failed', plan_name: 'Pro', amount_cents: 1, currency: 'USD', at: NOW, cancel_url: null },
    locale,
    SITE,
  )

const summary = (locale: Locale) =>
  writeJobSummary(
    {
      done: 0,
      failed: 1,
      jobs: [{ filename: 'clip.mp4', operation_key: 'compress', is_done: false, error: null }],
    },
    locale,
    SITE,
  )

const EMAILS: [string, (locale: Locale) => RenderedEmail][] = [
  ['order confirmation', order],
  ['refund acknowledgement', refund('acknowledged')],
  ['failed refund', refund('failed')],
  ['failed renewal', failedRenewal],
  ['job summary', summary],
]

// The API keeps the name "credits". Contract: Credits.
describe.each(EMAILS)('the email of a %s', (_name, write) => {
  test.each(LOCALES)('the emails in %s call credits bonuses', (locale) => {
    const { subject, text, html } = write(locale)
    const words = `${subject} ${text} ${html}`
    expect(words).toMatch(/bonus|бонус/i)
    expect(words).not.toMatch(/credit|кредит/i)
  })
})
