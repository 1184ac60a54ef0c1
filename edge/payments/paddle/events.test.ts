import { expect, test } from 'vitest'
import { UnreadableEvent } from '../unreadable.ts'
import { markReason, readPaddleEvent, toSettled } from './events.ts'
import { ADJUSTED, CANCELED, COMPLETED, transactionEvent } from './examples.ts'
import { Transaction } from './shapes.ts'

const read = (event: unknown) => readPaddleEvent(JSON.stringify(event))

const CHARGED = { total_cents: 32_662, tax_cents: 2662, currency: 'USD' }

test('a completed transaction is a paid order, with the amount before tax and the tax', () => {
  expect(read(COMPLETED)).toEqual({
    event_id: 'evt_01h8e1jxjnw9ra6zarhnz1a7y1',
    occurred_at: Date.parse('2023-08-22T07:15:45.366Z'),
    reported: {
      kind: 'payment',
      order_id: 'ord_example',
      reference: 'txn_01h8dzxgkvdwemdhbpcapj2tbj',
      state: 'paid',
      paid_cents: 30_000,
      currency: 'USD',
      charged: CHARGED,
      mandate: 'sub_01h8bxswamxysj44zt5n48njwh',
    },
  })
})

test.each([
  ['30000', '0', 30_000],
  ['30001', '0', 30_000],
  ['4500000', '450000', 27_000],
])(
  'settled in another currency, %s less %s are converted to the quoted one',
  (subtotal, discount, paid_cents) => {
    const details = {
      ...COMPLETED.data.details,
      totals: { ...COMPLETED.data.details.totals, subtotal, discount },
    }
    const settled = transactionEvent('transaction.completed', { currency_code: 'JPY', details })
    const charged = { ...CHARGED, currency: 'JPY' }
    expect(read(settled).reported).toMatchObject({ state: 'paid', paid_cents, currency: 'USD', charged })
  },
)

test.each([
  ['USD', {}, 700],
  ['JPY', { subtotal: '4500000', discount: '0' }, 105_000],
  ['JPY', { subtotal: '4500000', discount: '450000' }, 105_000],
])(
  '700 cents of a transaction settled in %s, of %j, are %i in that currency',
  (currency_code, totals, settled) => {
    const { data } = COMPLETED
    const details = { ...data.details, totals: { ...data.details.totals, ...totals } }
    expect(toSettled(Transaction.parse({ ...data, currency_code, details }), 700)).toBe(settled)
  },
)

test('several items settled in another currency are reported unconverted', () => {
  const { items } = COMPLETED.data
  const changes = { currency_code: 'JPY', items: [...items, ...items] }
  const { reported } = read(transactionEvent('transaction.completed', changes))
  expect(reported).toMatchObject({ paid_cents: 30_000, currency: 'JPY' })
})

test.each([
  ['transaction.paid', { status: 'paid', origin: 'api', subscription_id: null }, 'confirming', 30_000],
  ['transaction.payment_failed', { status: 'ready', subscription_id: null }, 'declined', 0],
  ['transaction.canceled', { status: 'canceled', subscription_id: null }, 'expired', 0],
])('%s of a checkout is reported', (type, changes, state, paid_cents) => {
  expect(read(transactionEvent(type, changes)).reported).toMatchObject({ kind: 'payment', state, paid_cents })
})

test.each([
  ['transaction.completed', { status: 'completed' }, 'paid'],
  ['transaction.past_due', { status: 'past_due' }, 'failed'],
])('%s of a mandate is a renewal, even when its custom data names an order', (type, changes, state) => {
  expect(read(transactionEvent(type, { ...changes, origin: 'subscription_recurring' })).reported).toEqual({
    kind: 'renewal',
    mandate: 'sub_01h8bxswamxysj44zt5n48njwh',
    reference: 'txn_01h8dzxgkvdwemdhbpcapj2tbj',
    state,
    amount_cents: 30_000,
    currency: 'USD',
    charged: state === 'paid' ? CHARGED : null,
  })
})

test.each([
  ['a transaction created elsewhere', transactionEvent('transaction.completed', { custom_data: undefined })],
  [
    'a captured but unprocessed renewal',
    transactionEvent('transaction.paid', { status: 'paid', origin: 'subscription_recurring' }),
  ],
  [
    'a renewal attempt that will be retried',
    transactionEvent('transaction.payment_failed', { status: 'billed', origin: 'subscription_recurring' }),
  ],
  [
    'a change of the card',
    transactionEvent('transaction.completed', { origin: 'subscription_payment_method_change' }),
  ],
  [
    'a one-time charge on a mandate',
    transactionEvent('transaction.completed', { origin: 'subscription_charge' }),
  ],
  ['a credit', { ...ADJUSTED, data: { ...ADJUSTED.data, action: 'credit' } }],
  [
    'a pending chargeback',
    { ...ADJUSTED, data: { ...ADJUSTED.data, action: 'chargeback', status: 'pending_approval' } },
  ],
  [
    'a reversed chargeback warning',
    { ...ADJUSTED, data: { ...ADJUSTED.data, action: 'chargeback_warning_reverse' } },
  ],
  ['an unknown event type', { ...COMPLETED, event_type: 'payout.created' }],
])('%s is not reported', (_name, event) => {
  expect(read(event).reported).toBeNull()
})

test.each([
  ['subscription.canceled', 'cancelled'],
  ['subscription.paused', 'paused'],
  ['subscription.resumed', 'resumed'],
])('%s is reported for its mandate', (event_type, state) => {
  const mandate = 'sub_01h7ht5z5wdg9pz18jx1fagp8k'
  expect(read({ ...CANCELED, event_type }).reported).toEqual({ kind: 'mandate', mandate, state })
})

test.each([
  ['pending_approval', 'processing'],
  ['approved', 'succeeded'],
  ['rejected', 'failed'],
  ['reversed', 'failed'],
])('an adjustment that is %s is reported as its refund', (status, state) => {
  expect(read({ ...ADJUSTED, data: { ...ADJUSTED.data, status } }).reported).toEqual({
    kind: 'refund',
    reference: 'adj_01h8c6tbrkpdd7vx61w7b1r0ap',
    refund_id: 'rfd_example',
    state,
    returned: { total_cents: 100, tax_cents: 8, currency: 'USD' },
  })
})

test.each([
  ['chargeback', 'approved', 'partial', 'lost', 92],
  ['chargeback', 'approved', 'full', 'lost', null],
  ['chargeback', 'reversed', 'full', 'reversed', null],
  ['chargeback_reverse', 'approved', 'full', 'reversed', null],
  ['chargeback_warning', 'approved', 'full', 'warned', null],
])(
  'a %s that is %s, of the %s amount, is reported as a dispute',
  (action, status, type, state, amount_cents) => {
    const data = { ...ADJUSTED.data, action, status, type, reason: 'Chargeback' }
    expect(read({ ...ADJUSTED, data }).reported).toEqual({
      kind: 'dispute',
      reference: 'adj_01h8c6tbrkpdd7vx61w7b1r0ap',
      payment: 'txn_01h8bxpvx398a7zbawb77y0kp5',
      mandate: 'sub_01h8bxswamxysj44zt5n48njwh',
      state,
      amount_cents,
      currency: 'USD',
      returned: { total_cents: 100, tax_cents: 8, currency: 'USD' },
    })
  },
)

test('a refund made at Paddle itself has no refund id of the service', () => {
  expect(read({ ...ADJUSTED, data: { ...ADJUSTED.data, reason: 'error' } }).reported).toMatchObject({
    refund_id: null,
  })
  expect(markReason('withdrawal', 'rfd_example')).toBe(ADJUSTED.data.reason)
})

test('an event of an undocumented shape is unreadable', () => {
  expect(() => read({ ...COMPLETED, data: { id: 'txn_1' } })).toThrow(UnreadableEvent)
  expect(() => read({ ...COMPLETED, occurred_at: 'yesterday' })).toThrow(UnreadableEvent)
})
