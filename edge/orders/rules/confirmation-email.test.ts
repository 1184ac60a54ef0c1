import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { renderEmail } from '../../emails/rules/email.ts'
import { formatCountry } from '../../emails/rules/formats.ts'
import { type OrderConfirmation, writeOrderEmail } from './confirmation-email.ts'

const ORDER: OrderConfirmation = {
  order_id: 'O-7K3M-9QXT',
  receipt_url: 'https://media.example.com/api/v1/billing/receipts/a-token',
  items: [
    { name: 'Pro', credits: 6000, months: 3, starts_at: null },
    { name: '500 credits', credits: 500, months: null, starts_at: null },
  ],
  amount_cents: 123_450,
  currency: 'USD',
  paid_at: Date.UTC(2026, 10, 20),
  provider_kind: 'card',
  charged: null,
  seller: {
    name: 'Example Media OÜ',
    address: 'Näidise tn 1\n10111 Tallinn',
    country: 'EE',
    vat_id: null,
    email: 'sales@example.com',
  },
  documents: [
    { document: 'terms', version: '3f2a81c09b7d', url: 'https://media.example.com/terms/3f2a81c09b7d' },
  ],
  withdrawal_deadline: Date.UTC(2026, 11, 5, 12),
  url: 'https://media.example.com',
  period_end: Date.UTC(2027, 1, 18),
  renewal: null,
}
const write = (changed: Partial<OrderConfirmation> = {}, locale: (typeof LOCALES)[number] = 'en') =>
  renderEmail(writeOrderEmail({ ...ORDER, ...changed }, locale, 'media.example.com'), locale, {
    site: 'media.example.com',
    support: '',
  })

const DELIVERED = /delivered|виконано|выполнен/
const BEFORE_TAX = { en: 'before tax', uk: 'без податку', ru: 'без налога' }
const TAX = {
  en: ['receipt of the payment provider', 'no tax was added'],
  uk: ['чеку платіжного сервісу', 'податок не додано'],
  ru: ['чеке платежного сервиса', 'налог не добавлен'],
}

describe.each(LOCALES)('in %s', (locale) => {
  const { subject, text, html } = write({}, locale)
  const plain = text.replace(/[\u00a0\u202f]/g, ' ')

  test('the email states the purchase, the amount and the consents', () => {
    expect(subject).toContain('O-7K3M-9QXT')
    for (const word of [
      ORDER.receipt_url,
      'Pro',
      '3',
      '500 credits',
      'USD',
      'O-7K3M-9QXT',
      '3f2a81c09b7d',
      '2026',
      '2027',
    ]) {
      expect(text).toContain(word)
      expect(html).toContain(word)
    }
    expect(plain).toMatch(/1[ ,]234[.,]50/)
    expect(plain).toMatch(/6[ ,]?000/)
    expect(html).toContain(`lang="${locale}"`)
  })

  test('the email contains the right of withdrawal, its deadline, the model form, the function and the seller', () => {
    expect(plain).toContain('12:00:00 (UTC)')
    expect(text).toContain(`https://media.example.com/billing/withdraw?lang=${locale}&order_id=O-7K3M-9QXT`)
    expect(text).toContain(`https://media.example.com/refunds?lang=${locale}`)
    expect(text).toContain('https://media.example.com/terms/3f2a81c09b7d')
    // Addressee, declaration, five fields and the remark of Annex I (B) of Directive 2011/83/EU.
    expect(text).toContain('Example Media OÜ, Näidise tn 1, 10111 Tallinn, sales@example.com')
    expect(text).toMatch(/\(\*\)[\s\S]*:\n\n.*:\n\n.*:\n\n.*:\n\n.*:\n\n\(\*\) /)
    expect(text).toContain(`Example Media OÜ\nNäidise tn 1\n10111 Tallinn\n${formatCountry('EE', locale)}`)
  })

  test('the email states the total and the tax that the provider reported', () => {
    const charged = { total_cents: 146_906, tax_cents: 23_456, currency: 'EUR' }
    const taxed = write({ charged }, locale).text.replace(/[\u00a0\u202f]/g, ' ')
    expect(taxed).toMatch(/1[ ,]469[.,]06/)
    expect(taxed).toMatch(/234[.,]56/)
    expect(taxed).toContain('EUR')
    expect(taxed).not.toContain(TAX[locale][0])
  })

  test('the email of a renewing term states when and how much it renews, and how to cancel', () => {
    const cancel_url = 'https://media.example.com/billing/cancel-renewal#secret'
    const renewal = { at: Date.UTC(2027, 1, 18), amount_cents: 99_900, cancel_url }
    const renewing = write({ renewal }, locale).text
    expect(renewing.replace(/[\u00a0\u202f]/g, ' ')).toMatch(/999[.,]00/)
    expect(renewing).toContain(BEFORE_TAX[locale])
    expect(renewing).toContain(cancel_url)
    expect(renewing).not.toBe(text)
  })

  test('only a card payment has a tax receipt of the payment provider', () => {
    const [card, crypto, removed] = (['card', 'crypto', null] as const).map(
      (provider_kind) => write({ provider_kind }, locale).text,
    )
    const taxOf = TAX[locale]
    expect([card, crypto, removed].map((email) => taxOf.map((words) => email?.includes(words)))).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
  })

  test('months that start later are not called delivered', () => {
    const starts_at = Date.UTC(2028, 4, 9)
    const queued = write({ items: [{ name: 'Pro', credits: 9, months: 1, starts_at }] }, locale).text
    expect(text).toMatch(DELIVERED)
    expect(queued).not.toMatch(DELIVERED)
    expect(queued).toContain('2028')
  })

  test('a sentence ends with one period', () => {
    expect(text).not.toContain('..')
  })

  test('the email of a pack does not mention a term', () => {
    const pack = write(
      { items: [{ name: 'P', credits: 1, months: null, starts_at: null }], period_end: null },
      locale,
    ).text
    expect(pack).not.toContain('2027')
  })
})

test('each language has its own wording', () => {
  expect(new Set(LOCALES.map((locale) => write({}, locale).subject)).size).toBe(3)
  expect(write({}, 'uk').text).toMatch(/[іїє]/)
  expect(write({}, 'ru').text).not.toMatch(/[іїє]/)
})

test('one month is singular', () => {
  expect(write({ items: [{ name: 'Pro', credits: 5, months: 1, starts_at: null }] }).text).toContain(
    '1 month,',
  )
})
