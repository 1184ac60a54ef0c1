import { env as platform } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { signHex } from '../sign-example.ts'
import { openNowpayments } from './client.ts'
import { FINISHED } from './examples.ts'

const SECRET = 'ipn-secret'
const NOW = Date.parse('2026-11-20T12:00:00Z')

const rail = openNowpayments({
  name: 'nowpayments',
  label: 'Cryptocurrency',
  api_url: `${(platform as unknown as { PAYMENT_SANDBOX_URL: string }).PAYMENT_SANDBOX_URL}/nowpayments/v1`,
  api_key: 'not-the-key',
  ipn_secret: SECRET,
  callback_url: 'https://media.example.com/callback',
  account: null,
})

/**
 * Signs a body the way the provider does, then reads it. Sorts only the top-level keys, which is enough for flat
 * bodies.
 */
async function read(content: object) {
  const sorted = Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)))
  const signature = await signHex('SHA-512', SECRET, JSON.stringify(sorted))
  const headers = new Headers({ 'x-nowpayments-sig': signature })
  return rail.readWebhook({ headers, body: JSON.stringify(content) }, NOW)
}

const { fee: _, ...PAYMENT } = FINISHED

test('an event is identified by its payment, status and amount', async () => {
  const first = await read({ ...PAYMENT, updated_at: 1_774_390_831_880 })
  expect(first).toMatchObject({ event_id: '123456789:finished:15', occurred_at: 1_774_390_831_880 })
  expect((await read({ ...PAYMENT, outcome_amount: 14.9 }))?.event_id).toBe(first?.event_id)
  expect((await read({ ...PAYMENT, actually_paid: 14 }))?.event_id).not.toBe(first?.event_id)
  expect((await read({ ...PAYMENT, payment_status: 'sending' }))?.event_id).not.toBe(first?.event_id)
})

test.each([
  ['2026-11-20T11:59:00.000Z', NOW - 60_000],
  [undefined, NOW],
  ['soon', NOW],
])('an event written at %s occurred at %i', async (updated_at, occurred_at) => {
  expect(await read({ ...PAYMENT, updated_at })).toMatchObject({ occurred_at, reported: { state: 'paid' } })
})

test.each([
  ['a payment without an order', { ...PAYMENT, order_id: null }],
  ['a payment without an invoice', { ...PAYMENT, invoice_id: null }],
  ['a payout', { id: '123456789', batch_withdrawal_id: '987654321', status: 'CREATING' }],
])('%s is not reported', async (_name, content) => {
  expect(await read(content)).toMatchObject({ reported: null })
})

test('a repeated deposit is looked up, and the event is retried when that fails', async () => {
  await expect(read({ ...PAYMENT, parent_payment_id: 1 })).rejects.toThrow('returned 403')
})
