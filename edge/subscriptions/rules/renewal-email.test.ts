import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { renderEmail } from '../../emails/rules/email.ts'
import { RENEWAL_EMAILS, type RenewalEmail, writeRenewalEmail } from './renewal-email.ts'

const EMAIL: RenewalEmail = {
  status: 'notice',
  plan_name: 'Pro <2>',
  amount_cents: 2_990,
  currency: 'USD',
  at: Date.UTC(2027, 1, 18, 12),
  cancel_url: null,
  payment_method_url: null,
}
const render = (email: RenewalEmail, locale: (typeof LOCALES)[number]) =>
  renderEmail(writeRenewalEmail(email, locale), locale, {
    site: 'media.example.com',
    support: '',
  })
const write = (status: RenewalEmail['status'], locale: (typeof LOCALES)[number]) =>
  render({ ...EMAIL, status }, locale)

describe.each(LOCALES)('in %s', (locale) => {
  test.each(RENEWAL_EMAILS)('the email %s names the plan and the day', (status) => {
    const { subject, text, html } = write(status, locale)
    expect(subject).toContain('Pro <2>')
    expect(text).toMatch(/2027/)
    expect(html).toContain('Pro &lt;2&gt;')
    expect(html).toContain(`lang="${locale}"`)
  })

  test('a notice and a failure state the amount; a cancellation has none', () => {
    const amount = /29[.,]90/
    expect(write('notice', locale).text).toMatch(amount)
    expect(write('failed', locale).text).toMatch(amount)
    expect(write('cancelled', locale).text).not.toMatch(amount)
  })

  test('a failure with prepaid months states until when the provider retries', () => {
    const { text } = render(
      { ...EMAIL, status: 'failed_prepaid', retries_until: Date.UTC(2026, 11, 24) },
      locale,
    )
    expect(text).toMatch(/2026/)
    expect(text).toMatch(/2027/)
  })

  test('a failed charge leads to the page that changes the payment method', () => {
    const payment_method_url = 'https://media.example.com/billing/payment-method?lang=en'
    const { text, html } = render({ ...EMAIL, status: 'failed', payment_method_url }, locale)
    expect(text).toContain(payment_method_url)
    expect(html).toContain(`class="button" href="${payment_method_url}"`)
  })

  test('a notice links to the cancellation page', () => {
    const cancel_url = 'https://media.example.com/billing/cancel-renewal?lang=en#secret'
    const { text, html } = render({ ...EMAIL, cancel_url }, locale)
    expect(text).toContain(cancel_url)
    expect(html).toContain(`href="${cancel_url}"`)
  })
})

test('each kind in each language has its own wording', () => {
  const kinds = ['notice', 'failed', 'cancelled'] as const
  const subjects = kinds.flatMap((kind) => LOCALES.map((locale) => write(kind, locale).subject))
  expect(new Set(subjects).size).toBe(9)
  const texts = RENEWAL_EMAILS.flatMap((kind) => LOCALES.map((locale) => write(kind, locale).text))
  expect(new Set(texts).size).toBe(3 * RENEWAL_EMAILS.length)
})
