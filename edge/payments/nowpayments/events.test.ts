import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsOf, parseDecimal, shareOf } from '../decimal.ts'
import { CryptoPayment, mayContinue, readPayments } from './events.ts'
import { FINISHED, OVERPAID } from './examples.ts'

function read(...payments: object[]) {
  const parsed = payments.map((payment) => CryptoPayment.parse({ ...FINISHED, ...payment }))
  return readPayments('ord_example', '4522625843', parsed)
}

test('a finished payment is a paid order', () => {
  expect(read({})).toEqual({
    kind: 'payment',
    order_id: 'ord_example',
    reference: '4522625843',
    state: 'paid',
    paid_cents: 100,
    currency: 'USD',
    charged: null,
    mandate: null,
  })
})

test.each([
  ['confirming', 15, 'confirming', 100],
  ['confirmed', 15, 'confirming', 100],
  ['sending', 15, 'confirming', 100],
  ['partially_paid', 5, 'partially_paid', 33],
  ['partially_paid', '14.999999', 'partially_paid', 99],
  ['finished', 14.9, 'paid', 100],
  ['finished', 16.5, 'paid', 110],
  ['expired', 0, 'expired', 0],
  ['failed', 0, 'failed', 0],
  ['refunded', 15, 'failed', 100],
])('%s with %s of 15 received is reported', (payment_status, actually_paid, state, paid_cents) => {
  expect(read({ payment_status, actually_paid })).toMatchObject({ state, paid_cents })
})

test('a waiting payment and one of another order are not reported', () => {
  expect(read({ payment_status: 'waiting', actually_paid: 0 })).toBeNull()
  expect(read({ order_id: 'ord_other' })).toBeNull()
  expect(read()).toBeNull()
})

test('an abandoned payment in another coin does not end a pending order', () => {
  const left = { payment_status: 'expired', actually_paid: 0 }
  expect(read(left, { payment_status: 'waiting', actually_paid: 0 })).toBeNull()
  expect(read(left, { payment_status: 'confirming' })).toMatchObject({ state: 'confirming' })
  expect(read(left, {})).toMatchObject({ state: 'paid', paid_cents: 100 })
})

test('a repeated deposit counts by its value, not by its finished status', () => {
  const short = { payment_status: 'partially_paid', actually_paid: 5 }
  const again = { parent_payment_id: 123456789, payment_id: 2, pay_amount: 3, actually_paid: 3 }
  expect(read(short, { ...again, actually_paid_at_fiat: 0.2 })).toMatchObject({
    state: 'partially_paid',
    paid_cents: 53,
  })
  expect(read(short, { ...again, actually_paid_at_fiat: '0.67' })).toMatchObject({
    state: 'paid',
    paid_cents: 100,
  })
  expect(read({ ...again, actually_paid_at_fiat: 0 })).toMatchObject({
    state: 'partially_paid',
    paid_cents: 0,
  })
})

test.each([
  ['an extra deposit without its original payment', [{ parent_payment_id: 1 }], true],
  ['a part of a payment', [{ payment_status: 'partially_paid', actually_paid: 5 }], true],
  ['a finished payment with an extra deposit', [{}, { parent_payment_id: 1 }], false],
  ['a finished payment', [{}], false],
  ['an invoice that nobody paid', [{ payment_status: 'expired', actually_paid: 0 }], false],
])('in a list, %s may belong to an older payment: %s', (_name, payments, expected) => {
  expect(mayContinue(payments.map((payment) => CryptoPayment.parse({ ...FINISHED, ...payment })))).toBe(
    expected,
  )
})

test('the documented payment, with an overpayment', () => {
  const payment = CryptoPayment.parse(OVERPAID)
  expect(readPayments('RGDBP-21314', '1', [payment])).toMatchObject({ state: 'paid', paid_cents: 543 })
})

test.each([
  ['19.90', 1990],
  [19.9, 1990],
  [0.07, 7],
  ['1e-7', 0],
  [1e-7, 0],
  ['0.019999999999999999', 1],
  [1_000_000, 100_000_000],
])('%s is %i cents', (amount, cents) => {
  expect(centsOf(amount)).toBe(cents)
})

test('a malformed number is not an amount', () => {
  for (const text of ['', 'NaN', '1,5', '0x10', '1e999', ' ']) expect(parseDecimal(text)).toBeNull()
  expect(() => centsOf('many')).toThrow('many is not an amount')
})

test('a share is never more than its part, and the whole is the whole', () => {
  const amount = fc.integer({ min: 1, max: 10 ** 12 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), amount, amount, (cents, some, whole) => {
      const part = BigInt(some % (2 * whole))
      const share = BigInt(shareOf(cents, part, BigInt(whole)))
      expect(share * BigInt(whole) <= BigInt(cents) * part).toBe(true)
      expect((share + 1n) * BigInt(whole) > BigInt(cents) * part).toBe(true)
      expect(shareOf(cents, BigInt(whole), BigInt(whole))).toBe(cents)
    }),
  )
})
