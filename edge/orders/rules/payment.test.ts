import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decidePayment, type PaymentReport } from './payment.ts'
import { ORDER_STATES, type OrderState } from './states.ts'

const AMOUNT = 1500

function decide(
  status: OrderState,
  state: PaymentReport['state'],
  paid_cents: number,
  { before = 0, refused = 0, kind = 'crypto' as 'card' | 'crypto' } = {},
) {
  const order = { status, amount_cents: AMOUNT, actually_paid_cents: before, refused_cents: refused }
  return decidePayment(order, { state, paid_cents }, kind)
}

describe('a payment report', () => {
  test.each<[OrderState, PaymentReport['state'], number, OrderState | null]>([
    ['waiting', 'confirming', 0, 'confirming'],
    ['waiting', 'paid', AMOUNT, 'paid'],
    ['confirming', 'paid', AMOUNT, 'paid'],
    ['confirming', 'paid', AMOUNT + 1, 'paid'],
    ['waiting', 'declined', 0, null],
    ['waiting', 'expired', 0, 'expired'],
    ['confirming', 'failed', 0, 'failed'],
    ['waiting', 'partially_paid', 900, 'partially_paid'],
    ['confirming', 'partially_paid', AMOUNT - 1, 'partially_paid'],
    ['waiting', 'partially_paid', AMOUNT, 'paid'],
    // Anything less than the full amount is not credited automatically, whatever the provider calls it.
    ['waiting', 'paid', AMOUNT - 1, 'partially_paid'],
    ['waiting', 'paid', 0, null],
    ['partially_paid', 'paid', AMOUNT, 'paid'],
    ['partially_paid', 'partially_paid', 1000, null],
    ['partially_paid', 'expired', 0, null],
    ['partially_paid', 'confirming', 0, null],
    ['expired', 'paid', AMOUNT, 'paid'],
    ['failed', 'paid', AMOUNT, 'paid'],
    ['failed', 'partially_paid', 5, 'partially_paid'],
    ['expired', 'confirming', 0, null],
    ['expired', 'failed', 0, null],
    ['paid', 'confirming', 0, null],
    ['paid', 'expired', 0, null],
    ['paid', 'partially_paid', 900, null],
    ['paid', 'paid', AMOUNT, null],
    ['refunded', 'paid', AMOUNT, null],
    ['partially_refunded', 'paid', AMOUNT, null],
  ])(
    'for an order that is %s, of %s with %i cents, leads to %s',
    (status, state, paid_cents, next_status) => {
      expect(decide(status, state, paid_cents).next_status).toBe(next_status)
    },
  )

  test('records the highest reported amount, and only of money that arrived', () => {
    expect(decide('partially_paid', 'partially_paid', 400, { before: 900 }).actually_paid_cents).toBe(900)
    expect(decide('partially_paid', 'partially_paid', 1000, { before: 900 }).actually_paid_cents).toBe(1000)
    expect(decide('waiting', 'confirming', 1500).actually_paid_cents).toBe(0)
    expect(decide('paid', 'partially_paid', 900, { before: AMOUNT }).actually_paid_cents).toBe(AMOUNT)
  })

  test('of money on its way to an expired or failed order asks the provider again', () => {
    const asking = ORDER_STATES.filter((status) => decide(status, 'confirming', 0).ask_again)
    expect(asking).toEqual(['expired', 'failed'])
  })

  test.each<[OrderState, number, OrderState | null]>([
    ['refused', 900, null],
    // The rest waits for an administrator, because the refused amount may have been returned.
    ['refused', AMOUNT, 'partially_paid'],
    ['partially_paid', AMOUNT, null],
    ['partially_paid', 900 + AMOUNT - 1, null],
    // The full price arrived after the earlier amount was refused.
    ['refused', 900 + AMOUNT, 'paid'],
    ['partially_paid', 900 + AMOUNT, 'paid'],
  ])(
    'for an order that is %s, with 900 cents refused and %i paid, leads to %s',
    (status, paid_cents, next_status) => {
      const facts = { before: 900, refused: 900 }
      expect(decide(status, 'paid', paid_cents, facts).next_status).toBe(next_status)
      expect(decide(status, 'partially_paid', paid_cents, facts).next_status).toBe(next_status)
    },
  )

  test('of a card payment below the price is a fault', () => {
    expect(decide('waiting', 'paid', 1400, { kind: 'card' }).fault).toMatch(/1400 of 1500/)
    expect(decide('waiting', 'paid', 1400).fault).toBeNull()
    expect(decide('waiting', 'paid', 1500, { kind: 'card' }).fault).toBeNull()
    expect(decide('waiting', 'declined', 0, { kind: 'card' }).fault).toBeNull()
  })
})

const report: fc.Arbitrary<PaymentReport> = fc.oneof(
  fc.record({
    state: fc.constantFrom('confirming' as const, 'declined' as const, 'expired' as const, 'failed' as const),
    paid_cents: fc.constant(0),
  }),
  fc.record({ state: fc.constant('partially_paid' as const), paid_cents: fc.integer({ min: 1, max: 1499 }) }),
  fc.record({ state: fc.constant('paid' as const), paid_cents: fc.constantFrom(AMOUNT, AMOUNT + 7) }),
)

/** Applies reports in sequence and counts how often the order becomes paid. */
function applyAll(reports: readonly PaymentReport[]) {
  let order = {
    status: 'waiting' as OrderState,
    amount_cents: AMOUNT,
    actually_paid_cents: 0,
    refused_cents: 0,
  }
  let deliveries = 0
  const passed: OrderState[] = [order.status]
  for (const each of reports) {
    const { next_status, actually_paid_cents } = decidePayment(order, each, 'crypto')
    if (next_status === 'paid') deliveries++
    if (next_status !== null) passed.push(next_status)
    order = { ...order, actually_paid_cents, status: next_status ?? order.status }
  }
  return { ...order, deliveries, passed }
}

/** Treats both final states without a payment as the same state. */
const closed = (status: OrderState) => (status === 'failed' ? 'expired' : status)

describe('any sequence of reports, with repetitions', () => {
  const shuffled = fc.array(report, { maxLength: 12 }).chain((reports) =>
    fc.tuple(
      fc.constant(reports),
      fc.shuffledSubarray([...reports, ...reports], {
        minLength: reports.length * 2,
        maxLength: reports.length * 2,
      }),
    ),
  )

  test('ends in the same state, with the same amount, delivered at most once', () => {
    fc.assert(
      fc.property(shuffled, ([reports, mixed]) => {
        const [one, other] = [applyAll(reports), applyAll(mixed)]
        expect(closed(other.status)).toBe(closed(one.status))
        expect(other.actually_paid_cents).toBe(one.actually_paid_cents)
        expect(other.deliveries).toBe(one.deliveries)
        expect(one.deliveries).toBe(reports.some(({ state }) => state === 'paid') ? 1 : 0)
      }),
    )
  })

  test('never returns to an earlier state', () => {
    fc.assert(
      fc.property(shuffled, ([, mixed]) => {
        const { passed } = applyAll(mixed)
        expect(new Set(passed).size).toBe(passed.length)
      }),
    )
  })
})
