import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canTransitionRefund,
  disputedCents,
  findWithdrawalBlock,
  orderAfterRefund,
  quoteRefund,
  REFUND_STATES,
  type RefundFacts,
} from './refunds.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A Thursday at midnight, so the right of withdrawal ends on a Thursday. */
const PAID_AT = 0
const RIGHT_ENDS_MS = 15 * DAY_MS

/** Returns an order for a pack of 100 unspent credits for 10.00. */
function pack(changed: Partial<RefundFacts> = {}): RefundFacts {
  return {
    order: { status: 'paid', amount_cents: 1000, paid_cents: 1000, credited_at: PAID_AT },
    items: [{ amount_cents: 1000, sold: 100, returnable: 100 }],
    credits_spent: 0,
    refunds: [],
    windows: { withdrawal_days: 14, refund_policy_days: 30 },
    ...changed,
  }
}

const item = (returnable: number, sold = 100, amount_cents = 1000) => ({ amount_cents, sold, returnable })

describe('the refundable amount', () => {
  test.each([
    ['an unused pack in full', [item(100)], 1000],
    ['the unspent fraction', [item(33)], 330],
    ['rounded to the cent', [item(1, 3)], 333],
    ['nothing of a spent pack', [item(0)], 0],
    ['the undelivered months and the rest of the current one', [item(500 * 2 + 100, 1500)], 733],
    ['each half of a bundle by its own price', [item(100, 100, 400), item(0, 50, 600)], 400],
    [
      'a surplus with the pack to which it added credits',
      [item(0), { ...item(30, 60, 0), surplus_cents: 600 }],
      300,
    ],
  ])('%s', (_name, items, amount) => {
    const surplus = items.reduce((sum, each) => sum + ('surplus_cents' in each ? each.surplus_cents : 0), 0)
    const order = { ...pack().order, paid_cents: 1000 + surplus }
    expect(quoteRefund(pack({ items, order }), PAID_AT).amount_cents).toBe(amount)
  })

  test('is based on the amount paid when an order was settled for less', () => {
    const order = { ...pack().order, paid_cents: 500 }
    expect(quoteRefund(pack({ order }), PAID_AT).amount_cents).toBe(500)
  })
})

describe('an obstacle to a refund', () => {
  const refunded = { id: 'r', status: 'succeeded' as const, amount_cents: 1000 }
  test.each([
    ['not_settled', { order: { ...pack().order, status: 'waiting' as const, credited_at: null } }, 0],
    ['not_settled', { order: { ...pack().order, status: 'refused' as const } }, 0],
    ['fully_refunded', { order: { ...pack().order, status: 'refunded' as const }, refunds: [refunded] }, 0],
    ['already_open', { refunds: [{ ...refunded, status: 'processing' as const }] }, 0],
    ['already_open', { refunds: [{ ...refunded, status: 'awaiting_payout' as const }] }, 0],
    ['window_closed', {}, 30 * DAY_MS + 1],
    ['nothing_left', { items: [item(0)] }, 0],
  ])('is reported as %s', (blocked, changed, later) => {
    expect(quoteRefund(pack(changed), PAID_AT + later)).toMatchObject({ blocked, amount_cents: 0 })
  })

  test('a failed or rejected refund is no obstacle', () => {
    const refunds = [
      { ...refunded, status: 'failed' as const },
      { ...refunded, id: 's', status: 'rejected' as const },
    ]
    expect(quoteRefund(pack({ refunds }), PAID_AT)).toMatchObject({ blocked: '', amount_cents: 1000 })
  })
})

test("the reason is the statutory right during its window, then the service's policy", () => {
  const reasonAt = (later: number) => quoteRefund(pack(), PAID_AT + later).reason
  expect([reasonAt(0), reasonAt(RIGHT_ENDS_MS), reasonAt(RIGHT_ENDS_MS + 1), reasonAt(30 * DAY_MS)]).toEqual([
    'withdrawal',
    'withdrawal',
    'policy',
    'policy',
  ])
})

test.each([
  ['an unused order', {}, null],
  ['a used order', { items: [item(0)] }, null],
  ['a refunded order', { order: { ...pack().order, status: 'refunded' as const } }, null],
  [
    'an unpaid order',
    { order: { ...pack().order, status: 'waiting' as const, credited_at: null } },
    'not_settled',
  ],
])('within its period, %s can be withdrawn from unless it is unpaid', (_name, changed, block) => {
  const blockAt = (later: number) => findWithdrawalBlock(quoteRefund(pack(changed), PAID_AT + later))
  expect(blockAt(RIGHT_ENDS_MS)).toBe(block)
  expect(blockAt(RIGHT_ENDS_MS + 1)).toBe(block ?? 'window_closed')
})

test('the refunds of an order never exceed the amount paid', () => {
  const step = fc.record({ spent: fc.nat(40), refund: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.array(step, { maxLength: 20 }), (cents, steps) => {
      const order = { status: 'paid' as const, amount_cents: cents, paid_cents: cents, credited_at: PAID_AT }
      const refunds: RefundFacts['refunds'][number][] = []
      let returnable = 100
      for (const { spent, refund } of steps) {
        returnable = Math.max(0, returnable - spent)
        const items = [{ amount_cents: cents, sold: 100, returnable }]
        const quote = quoteRefund(pack({ order, items, refunds }), PAID_AT)
        if (!refund || quote.blocked !== '') continue
        refunds.push({ id: 'r', status: 'succeeded', amount_cents: quote.amount_cents })
        returnable = 0
      }
      expect(refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBeLessThanOrEqual(cents)
    }),
    { seed: 20261120 },
  )
})

test('an order is refunded when everything was refunded, otherwise partially', () => {
  expect([orderAfterRefund(1000, 999), orderAfterRefund(1000, 1000)]).toEqual([
    'partially_refunded',
    'refunded',
  ])
})

test.each([
  ['all that remains', null, 'USD', 400, 600],
  ['a part', 250, 'USD', 400, 250],
  ['never more than what remains', 900, 'USD', 400, 600],
  ['all that remains when it is in another currency', 250, 'JPY', 0, 1000],
  ['nothing after a full refund', 250, 'USD', 1000, 0],
])('a dispute takes %s', (_what, amount_cents, currency, refunded_cents, disputed) => {
  const order = { paid_cents: 1000, refunded_cents, currency: 'USD' }
  expect(disputedCents({ amount_cents, currency }, order)).toBe(disputed)
})

test('only a refund that its provider has not paid can wait for a manual payout', () => {
  const froms = REFUND_STATES.filter((from) => canTransitionRefund(from, 'awaiting_payout'))
  expect(froms).toEqual(['requested', 'processing'])
})

test('a refund ends once', () => {
  const ends = REFUND_STATES.filter((from) => REFUND_STATES.every((to) => !canTransitionRefund(from, to)))
  expect(ends).toEqual(['succeeded', 'failed', 'rejected'])
})
