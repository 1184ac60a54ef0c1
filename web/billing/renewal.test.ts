import { expect, test } from 'vitest'
import { describeRenewal } from './renewal.ts'

const renewal = {
  plan_name: 'Starter',
  renewal_status: 'active',
  renews_at: '2026-12-01T00:00:00.000Z',
  renewal_amount_cents: 500,
  renewal_currency: 'EUR',
  grace_until: null,
  period_end: '2026-12-02T00:00:00.000Z',
  can_cancel: true,
}
const price = { cents: 500, currency: 'EUR' }

test.each([
  ['a running one', {}, { kind: 'renews', ...price, date: renewal.renews_at }],
  [
    'one whose charge failed',
    { renewal_status: 'past_due', renews_at: null, grace_until: '2026-12-09T00:00:00.000Z' },
    { kind: 'past_due', ...price, date: '2026-12-09T00:00:00.000Z' },
  ],
  ['a paused one', { renewal_status: 'paused', renews_at: null }, { kind: 'paused', ...price }],
  ['a canceled one', { can_cancel: false }, { kind: 'ended', date: renewal.period_end }],
])('%s', (_name, change, expected) => {
  expect(describeRenewal({ ...renewal, ...change })).toEqual(expected)
})
