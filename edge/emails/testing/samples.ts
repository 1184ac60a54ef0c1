import { PAYMENT_EMAILS } from '../../orders/rules/payment-email.ts'
import { RENEWAL_EMAILS } from '../../subscriptions/rules/renewal-email.ts'
import type { EmailContents } from '../queued-email.ts'

type Kind = EmailContents['kind']
type Of<K extends Kind> = Extract<EmailContents, { kind: K }>

const PAID_AT = Date.UTC(2026, 10, 20, 9, 30)
const ENDS_AT = Date.UTC(2027, 1, 18, 9, 30)
const TOKEN = 'sample-token-of-an-emailed-link-3f9c'
const ORDER_ID = 'O-7K3M-9QXT'

const order: Of<'order'> = {
  kind: 'order',
  order_id: ORDER_ID,
  receipt_token: TOKEN,
  items: [
    { name: 'Pro', credits: 6000, months: 3, starts_at: null },
    { name: 'Large', credits: 500, months: null, starts_at: null },
  ],
  amount_cents: 123_450,
  currency: 'USD',
  paid_at: PAID_AT,
  provider_kind: 'card',
  charged: { total_cents: 146_906, tax_cents: 23_456, currency: 'USD' },
  seller: {
    name: 'Example Media OÜ',
    address: 'Näidise tn 1\n10111 Tallinn',
    country: 'EE',
    vat_id: 'EE123456789',
    email: 'sales@example.com',
  },
  documents: [
    { document: 'terms', version: '3f2a81c09b7d' },
    { document: 'refunds', version: '81c09b7d3f2a' },
  ],
  period_end: ENDS_AT,
  renewal: { at: ENDS_AT, amount_cents: 99_900, cancel_token: TOKEN },
}

const refund: Of<'refund'> = {
  kind: 'refund',
  status: 'acknowledged',
  refund_id: 'R-2B8N-5WPA',
  order_id: ORDER_ID,
  item_name: 'Pro',
  amount_cents: 99_900,
  currency: 'USD',
  credits: 5400,
  withdrawal: true,
  declaration: true,
  ends_renewal: true,
  credits_return: true,
  credit_note_token: null,
  by_hand: false,
  note: 'I, Ada Lovelace (ada@example.com), hereby withdraw from my contract for Pro.',
  at: PAID_AT,
}

/** Examples of every kind of email, as they are queued. */
export const EMAIL_SAMPLES: { [K in Kind]: Record<string, Of<K>> } = {
  code: { code: { kind: 'code', code: '041592', minutes: 15 } },
  password_reset: {
    password_reset: { kind: 'password_reset', token: TOKEN, minutes: 30, has_password: true },
    password_first: { kind: 'password_reset', token: TOKEN, minutes: 30, has_password: false },
  },
  password_changed: { password_changed: { kind: 'password_changed', at: PAID_AT } },
  identity: {
    identity_linked: { kind: 'identity', status: 'linked', at: PAID_AT },
    identity_unlinked: { kind: 'identity', status: 'unlinked', at: PAID_AT },
  },
  account_deleted: {
    account_deleted: { kind: 'account_deleted', expired_paid_credits: 5400, ends_renewal: true },
  },
  paid_back: {
    paid_back: {
      kind: 'paid_back',
      ...{ order_id: ORDER_ID, item_name: 'Pro', amount_cents: 99_900, currency: 'USD', at: PAID_AT },
    },
  },
  webhook_endpoint_disabled: {
    webhook_endpoint_disabled: {
      kind: 'webhook_endpoint_disabled',
      url: 'https://hooks.example.com/media',
      failing_since: PAID_AT,
    },
  },
  order: {
    order,
    order_of_pack: {
      ...order,
      items: [{ name: 'Large', credits: 500, months: null, starts_at: null }],
      provider_kind: 'crypto',
      period_end: null,
      renewal: null,
    },
    order_queued: {
      ...order,
      items: [{ name: 'Pro', credits: 6000, months: 3, starts_at: ENDS_AT }],
      period_end: Date.UTC(2027, 4, 19, 9, 30),
      provider_kind: 'crypto',
      renewal: null,
    },
  },
  payment: Object.fromEntries(
    PAYMENT_EMAILS.map((status) => [
      `payment_${status}`,
      {
        kind: 'payment',
        status,
        order_id: ORDER_ID,
        item_name: 'Large',
        price_cents: 10_000,
        ...(status === 'underpaid' || status === 'refused'
          ? { paid_cents: 4_000, difference_cents: 6_000 }
          : { paid_cents: 12_500, difference_cents: 2_500 }),
        currency: 'USD',
        credits: status === 'surplus_credited' ? 1250 : null,
        checkout_url: status === 'underpaid' ? 'https://pay.example.com/invoice/4522625843' : null,
        receipt_token: status === 'surplus_credited' ? TOKEN : null,
      },
    ]),
  ),
  refund: {
    refund_acknowledged: refund,
    refund_by_hand: { ...refund, withdrawal: false, declaration: false, by_hand: true },
    refund_succeeded: { ...refund, status: 'succeeded' },
    refund_failed: { ...refund, status: 'failed' },
  },
  renewal: Object.fromEntries(
    RENEWAL_EMAILS.map((status) => [
      `renewal_${status}`,
      {
        kind: 'renewal',
        status,
        plan_name: 'Pro',
        amount_cents: 99_900,
        currency: 'USD',
        at: ENDS_AT,
        retries_until: PAID_AT,
        cancel_token: status === 'notice' ? TOKEN : null,
      },
    ]),
  ),
  jobs: {
    jobs: {
      kind: 'jobs',
      unsubscribe_token: TOKEN,
      done: 11,
      failed: 1,
      jobs: [
        { filename: 'holiday in the mountains.mp4', operation_key: 'compress', is_done: true, error: null },
        { filename: 'portrait.jpg', operation_key: 'resize', is_done: true, error: null },
        {
          filename: 'a-very-long-file-name-without-any-spaces-that-must-not-widen-the-page-2026-11-20.mov',
          operation_key: 'trim',
          is_done: false,
          error: 'The file has audio only. Use a file with a video track.',
        },
      ],
    },
  },
  news: {
    news: {
      kind: 'news',
      unsubscribe_token: TOKEN,
      subject: 'Subtitles in twelve languages',
      text: 'The studio now writes subtitles in twelve languages.\n\nOpen a video, choose “Subtitles”, and pick a language.',
    },
  },
  feedback: {
    feedback: {
      kind: 'feedback',
      message: 'The button "Send" does nothing.\n\nSteps:\n1. Open the studio.\n2. Press <Send>.',
      contact: 'ada@example.com',
      page: '/studio',
      error: 'TypeError: x is undefined\n    at send (studio.js:12)',
      from: { account_id: 7, email: 'ada@example.com' },
      at: '2026-11-20T09:30:00.000Z',
    },
  },
}

/** All examples by name. */
export const ALL_EMAIL_SAMPLES: [name: string, content: EmailContents][] = Object.values(
  EMAIL_SAMPLES,
).flatMap((samples) => Object.entries(samples) as [string, EmailContents][])
