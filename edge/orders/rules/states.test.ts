import { expect, test } from 'vitest'
import { canTransitionOrder, isOpenOrder, ORDER_STATES, type OrderState } from './states.ts'

const TRANSITIONS: [OrderState, OrderState[]][] = [
  ['waiting', ['confirming', 'paid', 'partially_paid', 'expired', 'failed']],
  ['confirming', ['paid', 'partially_paid', 'expired', 'failed']],
  ['partially_paid', ['paid', 'refused']],
  ['expired', ['paid', 'partially_paid']],
  ['failed', ['paid', 'partially_paid']],
  ['paid', ['refunded', 'partially_refunded']],
  ['partially_refunded', ['refunded', 'partially_refunded']],
  ['refused', ['paid', 'partially_paid']],
  ['refunded', []],
]

test.each(TRANSITIONS)('an order that is %s can change only to %j', (from, to) => {
  expect(ORDER_STATES.filter((state) => canTransitionOrder(from, state)).sort()).toEqual([...to].sort())
})

test('an order that can still be paid is open', () => {
  expect(ORDER_STATES.filter(isOpenOrder)).toEqual(['waiting', 'confirming', 'partially_paid'])
})
