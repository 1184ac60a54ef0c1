import { describe, expect, test, vi } from 'vitest'
import { eventually } from '../../test/edge/worker/context.ts'
import {
  actAtCheckout,
  buy,
  order,
  sendCallback,
  sendCallbacks,
  showOrder,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import {
  askRefund,
  buyInCrypto,
  DAILY,
  entriesOf,
  monthsOf,
  quoteOf,
  refund,
  refundsOf,
  settleRefund,
  spend,
  termsOf,
} from '../../test/edge/worker/refunds.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import type { DisputeEvent } from '../payments/provider.ts'
import { handleDispute } from './handle-dispute.ts'

const { buyPack, balanceOf, sold, testContext } = openRefundDesk()

async function chargeBack(id: string): Promise<void> {
  await sendCallbacks(testContext, await actAtCheckout(id, 'charge_back'))
}

/** Returns a dispute of the order's payment in the form another provider would report it. */
async function disputeOf(id: string, changed: Partial<DisputeEvent> = {}): Promise<DisputeEvent> {
  const [payment] = (await showSandboxOrder(id)).payments
  return {
    kind: 'dispute',
    reference: crypto.randomUUID(),
    payment: payment?.reference ?? '',
    mandate: null,
    state: 'lost',
    amount_cents: null,
    currency: 'USD',
    returned: null,
    ...changed,
  }
}

function handle(reported: DisputeEvent, occurred_at = Date.now()): Promise<void> {
  const [card] = testContext.deps.payments
  if (card === undefined) throw new Error('nothing can be paid')
  return handleDispute(testContext.deps, card, { reported, occurred_at })
}

describe('a chargeback', () => {
  test('ends its order as a succeeded refund that administrators see', async () => {
    const { person, id } = await buyPack()
    await spend(testContext, person, DAILY + 200)
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await chargeBack(id)
    const log = written.mock.calls.join()
    written.mockRestore()
    expect(log).toContain(`the order ${id}: charged back, 1000 USD cents`)
    expect(await balanceOf(person)).toBe(0)
    const [row, ...others] = await refundsOf(testContext, person)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      order_id: id,
      status: 'succeeded',
      amount_cents: 1000,
      credits_removed: 300,
      note: 'chargeback',
      finished_at: row?.created_at,
    })
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    expect(await entriesOf(testContext, person, id)).toEqual([
      ['purchase', 500],
      ['adjust', -300],
    ])
    expect(await quoteOf(testContext, person, id)).toMatchObject({ blocked: 'fully_refunded' })
    expect((await askRefund(testContext, person, id)).status).toBe(409)
    const { token } = await registerAdministrator(testContext)
    const { json } = await testContext.call('GET', '/api/v1/admin/refunds?status=succeeded&limit=500', {
      token,
    })
    expect(json).toContainEqual({ ...row, account_id: person.id, email: person.email })
  })

  test('reported ten times concurrently counts once', async () => {
    const { person, id } = await buyPack()
    const callbacks = await actAtCheckout(id, 'charge_back')
    const copies = Array.from({ length: 10 }, () => callbacks).flat()
    const answers = await Promise.all(copies.map((callback) => sendCallback(testContext, callback)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await sendCallbacks(testContext, callbacks)
    expect(await refundsOf(testContext, person)).toHaveLength(1)
    expect(await entriesOf(testContext, person, id)).toHaveLength(2)
  })

  test('withdraws future months and ends the mandate', async () => {
    const person = await register(testContext)
    const recurring = { auto_renew: true, accept_recurring: true }
    const id = await buy(testContext, person, { plan_id: sold.plan.id, months: 3, ...recurring })
    await chargeBack(id)
    expect(await balanceOf(person)).toBe(DAILY)
    const [row] = await refundsOf(testContext, person)
    expect(row).toMatchObject({ amount_cents: 4050, credits_removed: 1000 })
    const [first, ...others] = await monthsOf(testContext, person)
    expect(others.map(({ withdrawn_by }) => withdrawn_by)).toEqual([row?.id, row?.id])
    expect(await termsOf(testContext, person)).toMatchObject([
      { period_end: first?.ends_at, renewal_status: 'cancelling', renews_at: null },
    ])
    await testContext.settled()
    await eventually('the mandate to end at the provider', async () =>
      (await showSandboxOrder(id)).mandates.every(({ status }) => status === 'canceled'),
    )
  })

  test('of a part leaves the order partially_refunded; another one takes at most the rest', async () => {
    const { person, id } = await buyPack()
    await handle(await disputeOf(id, { amount_cents: 400 }))
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'partially_refunded' })
    expect(await balanceOf(person)).toBe(DAILY)
    await handle(await disputeOf(id, { amount_cents: 5000 }))
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    const amounts = (await refundsOf(testContext, person)).map(
      (row: { amount_cents: number }) => row.amount_cents,
    )
    expect(amounts.sort()).toEqual([400, 600])
    await handle(await disputeOf(id))
    expect(await refundsOf(testContext, person)).toHaveLength(2)
  })

  test('after a full refund takes nothing more', async () => {
    const { person, id } = await buyPack()
    await refund(testContext, person, id)
    await settleRefund(testContext, id, 'approved')
    await chargeBack(id)
    expect(await refundsOf(testContext, person)).toMatchObject([{ amount_cents: 1000, note: null }])
    expect(await balanceOf(person)).toBe(DAILY)
  })

  test.each(['approved', 'rejected'] as const)(
    'ends a pending refund, whose credits stay removed although it is %s later',
    async (decision) => {
      const { person, id } = await buyPack()
      await refund(testContext, person, id)
      await chargeBack(id)
      await settleRefund(testContext, id, decision)
      const rows = await refundsOf(testContext, person)
      const states = rows.map(({ status, note }) => [status, note])
      expect(states.sort()).toEqual([
        ['failed', 'chargeback'],
        ['succeeded', 'chargeback'],
      ])
      expect(await balanceOf(person)).toBe(DAILY)
      expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    },
  )

  test('concurrent with a refund request removes each credit once', async () => {
    const { person, id } = await buyPack()
    await Promise.all([
      askRefund(testContext, person, id),
      chargeBack(id),
      askRefund(testContext, person, id),
    ])
    await testContext.settled()
    expect(await balanceOf(person)).toBe(DAILY)
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    const rows: { status: string; amount_cents: number }[] = await refundsOf(testContext, person)
    const paid = rows.filter(({ status }) => status === 'succeeded')
    expect(paid.map(({ amount_cents }) => amount_cents)).toEqual([1000])
    expect(rows.filter(({ status }) => status === 'requested' || status === 'processing')).toEqual([])
  })
})

describe('a chargeback out of order', () => {
  test('that arrives before its payment event looks the payment up first', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: sold.pack.id })
    const paid = await actAtCheckout(id, 'pay')
    await chargeBack(id)
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    await sendCallbacks(testContext, paid)
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    expect(await entriesOf(testContext, person, id)).toEqual([
      ['purchase', 500],
      ['adjust', -500],
    ])
  })

  test('of an unreported mandate charge looks the charge up first', async () => {
    const person = await register(testContext)
    const recurring = { auto_renew: true, accept_recurring: true }
    const id = await buy(testContext, person, { plan_id: sold.plan.id, months: 1, ...recurring })
    const charged = await actAtCheckout(id, 'charge')
    const reference = (await showSandboxOrder(id)).payments.at(-1)?.reference
    await sendCallbacks(testContext, await actAtCheckout(id, 'charge_back', undefined, reference))
    await sendCallbacks(testContext, charged)
    const orders = (await testContext.call('GET', '/api/v1/billing/payments', { token: person.token })).json
    const states = orders.map(({ order_id, status }: { order_id: string; status: string }) => [
      order_id === id,
      status,
    ])
    expect(states).toEqual([
      [false, 'refunded'],
      [true, 'paid'],
    ])
    const months = await monthsOf(testContext, person)
    expect(months.map(({ withdrawn_by }) => withdrawn_by)).toEqual([null, expect.any(String)])
    expect(await termsOf(testContext, person)).toMatchObject([{ renewal_status: 'cancelling' }])
    expect(await balanceOf(person)).toBe(DAILY + 1000)
  })

  test('and its reversal in any order leave only what was removed before', async () => {
    const { person, id } = await buyPack()
    const [charged, reversed] = [
      await actAtCheckout(id, 'charge_back'),
      await actAtCheckout(id, 'reverse_charge_back'),
    ]
    await sendCallbacks(testContext, [...reversed, ...charged, ...reversed])
    expect(await refundsOf(testContext, person)).toEqual([])
    expect(await balanceOf(person)).toBe(DAILY + 500)
    // A later chargeback counts again.
    await handle(await disputeOf(id), Date.now() + 1000)
    expect(await refundsOf(testContext, person)).toHaveLength(1)
    await handle(await disputeOf(id, { state: 'reversed' }), Date.now() + 2000)
    await handle(await disputeOf(id, { state: 'warned' }))
    expect(await balanceOf(person)).toBe(DAILY)
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
  })

  test('of an unknown payment, or one of another rail, is accepted and changes nothing', async () => {
    const person = await register(testContext)
    const id = await buyInCrypto(testContext, person, { package_id: sold.pack.id })
    await handle(await disputeOf(id))
    await handle(await disputeOf(id, { payment: 'txn_unknown', mandate: 'sub_unknown' }))
    expect(await refundsOf(testContext, person)).toEqual([])
    expect(await query(testContext, 'SELECT status FROM orders WHERE id = ?', id)).toEqual([
      { status: 'paid' },
    ])
  })
})
