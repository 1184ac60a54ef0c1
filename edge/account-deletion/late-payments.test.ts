import { beforeAll, describe, expect, test } from 'vitest'
import { found, makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import {
  actAtCheckout,
  decideRefund,
  holdRefunds,
  order,
  sendCallbacks,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { listPackage, listPlan, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { subscribe } from '../../test/edge/worker/terms.ts'
import { renderQueued } from '../emails/render-queued.ts'
import { handlePayment } from '../orders/handle-payment.ts'
import { payBack, pollPaybacks } from '../payments/pay-back.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import { ProviderRefused } from '../payments/request.ts'

// No mail server is configured, so emails stay in the outbox.
const testContext = makeTestContext({ SMTP_PORT: '9' })
const { call, deps } = testContext
const EVENTS = '/api/v1/admin/unmatched-events'

let admin: Person
let pack: { id: number }
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
  pack = await listPackage(testContext)
  await holdRefunds(true)
})

const remove = ({ email, password, token }: Person, where: TestContext = testContext) =>
  where.call('DELETE', '/api/v1/auth/me', {
    token,
    body: { confirm: email, current_password: password, refund: 'waive' },
  })

/** Opens an order of an account and deletes the account. The provider does not close the checkout. */
async function orderAndDelete(provider = 'sandbox_card', item: object = { package_id: pack.id }) {
  const person = await register(testContext)
  const id = await order(testContext, person, { ...item, provider })
  const stuck = makeTestContext({ SMTP_PORT: '9' })
  for (const each of stuck.deps.payments) each.closeCheckout = async () => false
  expect((await remove(person, stuck)).status).toBe(200)
  await stuck.settled()
  return { person, id }
}

const eventsAbout = async (about: string, status = 'open') =>
  (
    await call('GET', `${EVENTS}?status=${status}&limit=500` as typeof EVENTS, { token: admin.token })
  ).json.filter((row) => row.about === about)

const stateOf = async (id: string) =>
  (await query(testContext, 'SELECT status FROM orders WHERE id = ?', id))[0]?.status

const emailsTo = async (address: string) =>
  (
    await query(
      testContext,
      "SELECT payload FROM outbox WHERE kind = 'mail' AND payload ->> 'to' = ?",
      address,
    )
  ).map(({ payload }) => JSON.parse(String(payload)))

async function expectNothingDelivered({ id }: Person) {
  const sql = 'SELECT coalesce(sum(amount), 0) AS sum FROM ledger WHERE account_id = ?'
  expect(await query(testContext, sql, id)).toEqual([{ sum: 0 }])
  expect(
    await query(testContext, "SELECT 1 FROM ledger WHERE account_id = ? AND entry_type = 'purchase'", id),
  ).toEqual([])
}

describe('the open checkouts of a deleted account', () => {
  test('end here and at the provider, and refuse payments', async () => {
    const person = await register(testContext)
    const ids = [
      await order(testContext, person, { package_id: pack.id, provider: 'sandbox_card' }),
      await order(testContext, person, { package_id: pack.id, provider: 'sandbox_crypto' }),
    ] as const
    expect((await remove(person)).status).toBe(200)
    await testContext.settled()
    expect(await Promise.all(ids.map(stateOf))).toEqual(['expired', 'expired'])
    expect((await showSandboxOrder(ids[0])).payments).toMatchObject([{ status: 'expired' }])
    await expect(actAtCheckout(ids[0], 'pay')).rejects.toThrow(/not possible/)
    const sql = "SELECT 1 FROM outbox WHERE kind = 'checkout' AND payload ->> 'order_id' IN (?, ?)"
    expect(await query(testContext, sql, ...ids)).toEqual([])
  })

  test('are closed as well if they open while the account is deleted', async () => {
    const person = await register(testContext)
    const slow = makeTestContext()
    const [card] = slow.deps.payments
    const { openCheckout } = card as PaymentProvider
    if (card) {
      card.openCheckout = async (request) => {
        const opened = await openCheckout(request)
        expect((await remove(person)).status).toBe(200)
        return opened
      }
    }
    const id = await order(slow, person, { package_id: pack.id, provider: card?.name })
    await slow.settled()
    await testContext.settled()
    expect(await stateOf(id)).toBe('expired')
    expect((await showSandboxOrder(id)).payments).toMatchObject([{ status: 'expired' }])
  })

  test('that were paid just before they could be closed are paid back', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: pack.id, provider: 'sandbox_card' })
    await actAtCheckout(id, 'pay')
    expect((await remove(person)).status).toBe(200)
    await testContext.settled()
    expect(await stateOf(id)).toBe('expired')
    expect(await eventsAbout(id)).toMatchObject([{ reason: 'account_deleted', payback: 'processing' }])
    await expectNothingDelivered(person)
  })
})

describe('a payment for a deleted account', () => {
  test('is not delivered but paid back once, and the payer gets one email', async () => {
    const { person, id } = await orderAndDelete()
    const callbacks = await actAtCheckout(id, 'pay')
    const again = callbacks.map((callback) => ({ ...callback }))
    await sendCallbacks(testContext, [...callbacks, ...again])
    await testContext.settled()
    await expectNothingDelivered(person)
    expect(await stateOf(id)).toBe('expired')
    const [event, ...others] = await eventsAbout(id)
    expect([event, others]).toMatchObject([
      {
        reason: 'account_deleted',
        payback: 'processing',
        amount_cents: 1000,
        currency: 'USD',
        outcome: null,
      },
      [],
    ])
    const body = { action: 'dismiss', note: 'paid by hand' }
    const settled = await call('POST', `${EVENTS}/${event?.id}/settle`, { token: admin.token, body })
    expect(settled.code).toBe('payback_in_progress')
    expect((await showSandboxOrder(id)).refunds).toMatchObject([{ amount_cents: 1000 }])
    const [email, ...more] = await emailsTo(`payer-of-${id}@example.com`)
    expect([email.content, more]).toMatchObject([{ kind: 'paid_back', order_id: id, amount_cents: 1000 }, []])
    const text = renderQueued(email.content, 'en', { url: 'https://media.example.com', support: '' }).text
    expect(text).toMatch(/USD.10\.00/)
    await sendCallbacks(testContext, await decideRefund(id, 'approved'))
    expect(await eventsAbout(id)).toEqual([])
    expect(await eventsAbout(id, 'settled')).toMatchObject([{ outcome: 'paid_back', payback: 'succeeded' }])
    await sendCallbacks(testContext, callbacks)
    await testContext.settled()
    expect((await showSandboxOrder(id)).refunds).toHaveLength(1)
    expect(await emailsTo(`payer-of-${id}@example.com`)).toHaveLength(1)
  })

  test('is found to be paid back by a poll if no event says so', async () => {
    const { id } = await orderAndDelete()
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    await testContext.settled()
    await decideRefund(id, 'approved')
    await query(testContext, 'UPDATE unmatched_events SET payback_poll_at = 1 WHERE about = ?', id)
    await pollPaybacks(deps)
    expect(await eventsAbout(id, 'settled')).toMatchObject([{ outcome: 'paid_back' }])
  })

  test('waits for an administrator if the provider refuses the payback', async () => {
    const { id } = await orderAndDelete()
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    await testContext.settled()
    await sendCallbacks(testContext, await decideRefund(id, 'rejected'))
    const [event] = await eventsAbout(id)
    expect(event).toMatchObject({ payback: 'failed', outcome: null })
    const body = { action: 'dismiss', note: 'paid by hand' }
    const settled = await call('POST', `${EVENTS}/${event?.id}/settle`, { token: admin.token, body })
    expect([settled.status, settled.json]).toMatchObject([200, { outcome: 'dismissed' }])
  })

  test('is never paid back after the provider refused, because an administrator decides then', async () => {
    const { id } = await orderAndDelete()
    const callbacks = await actAtCheckout(id, 'pay')
    const refusing = makeTestContext({ SMTP_PORT: '9' })
    for (const each of refusing.deps.payments) {
      each.refund = () => Promise.reject(new ProviderRefused('POST /adjustments', 400, 'not possible'))
    }
    await sendCallbacks(refusing, callbacks)
    await refusing.settled()
    const [event] = await eventsAbout(id)
    expect(event).toMatchObject({ payback: 'failed', outcome: null })
    const card = found(deps.payments.find(({ name }) => name === 'sandbox_card'))
    const reported = found(await card.findPayment({ order_id: id, reference: found(event).reference ?? '' }))
    // The provider would pay back by now, and reports the payment again, under another event.
    await handlePayment(deps, card, reported, { id: crypto.randomUUID(), occurred_at: Date.now() })
    await payBack(deps, { provider: card.name, reference: reported.reference })
    expect((await showSandboxOrder(id)).refunds).toEqual([])
    expect(await eventsAbout(id)).toMatchObject([{ payback: 'failed' }])
  })

  test('is announced only if the provider has accepted to pay it back', async () => {
    const { id } = await orderAndDelete()
    const callbacks = await actAtCheckout(id, 'pay')
    const failing = makeTestContext({ SMTP_PORT: '9' })
    for (const each of failing.deps.payments) {
      each.refund = async ({ refund_id }) => ({
        ...{ kind: 'refund', reference: crypto.randomUUID(), refund_id, state: 'failed', returned: null },
      })
    }
    await sendCallbacks(failing, callbacks)
    await failing.settled()
    expect(await eventsAbout(id)).toMatchObject([{ payback: 'failed' }])
    expect(await emailsTo(`payer-of-${id}@example.com`)).toEqual([])
  })

  test('in crypto waits for an administrator, who can grant its credits to another account', async () => {
    const { person, id } = await orderAndDelete('sandbox_crypto')
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    await testContext.settled()
    await expectNothingDelivered(person)
    const [event, ...others] = await eventsAbout(id)
    expect([event, others]).toMatchObject([
      { reason: 'account_deleted', payback: null, amount_cents: 1000 },
      [],
    ])
    const other = await register(testContext)
    const body = { action: 'grant', account_id: other.id, credits: 500, note: 'the new account of the payer' }
    const settled = await call('POST', `${EVENTS}/${event?.id}/settle`, { token: admin.token, body })
    expect(settled.status).toBe(200)
    expect((await ledgerOf(testContext, other)).balance).toBe(520)
  })

  test('that creates a mandate ends it, and its renewal is paid back', async () => {
    const plan = await listPlan(testContext)
    const item = { plan_id: plan.id, months: 1, auto_renew: true, accept_recurring: true }
    const { person, id } = await orderAndDelete('sandbox_card', item)
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    await testContext.settled()
    expect((await showSandboxOrder(id)).mandates).toMatchObject([{ status: 'canceled' }])
    expect(await eventsAbout(id)).toMatchObject([{ payback: 'processing' }])
    await expectNothingDelivered(person)
  })
})

test('a renewal that is charged after the deletion is paid back once, and delivers nothing', async () => {
  const person = await register(testContext)
  const id = await subscribe(testContext, person, (await listPlan(testContext)).id)
  const charges = await actAtCheckout(id, 'charge')
  expect((await remove(person)).status).toBe(200)
  await sendCallbacks(testContext, [...charges, ...charges])
  await testContext.settled()
  const mandate = (await showSandboxOrder(id)).mandates[0]?.id ?? ''
  expect(await eventsAbout(mandate)).toMatchObject([
    { kind: 'renewal', reason: 'account_deleted', payback: 'processing', amount_cents: 1000 },
  ])
  expect((await showSandboxOrder(id)).refunds).toHaveLength(1)
  expect(await emailsTo(`payer-of-${id}@example.com`)).toHaveLength(1)
  const sql = 'SELECT sum(amount) AS sum FROM ledger WHERE account_id = ?'
  expect(await query(testContext, sql, person.id)).toEqual([{ sum: 0 }])
})

test('of a payment and a deletion that commit at once, either is first, and no credits are left', async () => {
  for (const _round of [1, 2, 3]) {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: pack.id, provider: 'sandbox_card' })
    const callbacks = await actAtCheckout(id, 'pay')
    const [removed] = await Promise.all([remove(person), sendCallbacks(testContext, callbacks)])
    await testContext.settled()
    const { sum } =
      (
        await query(testContext, 'SELECT sum(amount) AS sum FROM ledger WHERE account_id = ?', person.id)
      )[0] ?? {}
    if (removed?.status === 409) expect(removed.code).toBe('payment_in_progress')
    else expect([removed?.status, sum]).toEqual([200, 0])
    if (removed?.status === 200 && (await stateOf(id)) === 'expired') {
      expect(await eventsAbout(id)).toMatchObject([{ reason: 'account_deleted' }])
    }
  }
})
