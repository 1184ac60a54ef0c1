import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import {
  actAtCheckout,
  holdRefunds,
  order,
  sendCallbacks,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { listPackage, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { emailsTo } from '../../test/edge/worker/terms.ts'
import { closeCheckout, closeWaitingCheckouts } from '../orders/close-checkout.ts'
import { handlePayment } from '../orders/handle-payment.ts'
import { unpaidOrdersQuery } from '../orders/queries.ts'
import { payBack, pollPaybacks } from '../payments/pay-back.ts'
import { resendEffects } from '../platform/outbox/send.ts'

// No mail server is configured, so emails stay in the outbox.
const testContext = makeTestContext({ SMTP_PORT: '9' })
const { call, deps } = testContext
const EVENTS = '/api/v1/admin/unmatched-events'
const WITHOUT = { ...deps, payments: [] }
/** Keeps effects in the outbox. */
const WITHOUT_REFUND = { ...deps, defer: () => undefined }

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

const eventsAbout = async (about: string, status = 'open') =>
  (
    await call('GET', `${EVENTS}?status=${status}&limit=500` as typeof EVENTS, { token: admin.token })
  ).json.filter((row) => row.about === about)

/** Opens an order and deletes its account, while no provider can be asked. The effects stay in the outbox. */
async function orderAndDelete(provider: string) {
  const person = await register(testContext)
  const id = await order(testContext, person, { package_id: pack.id, provider })
  const quiet = makeTestContext({ SMTP_PORT: '9' })
  for (const each of quiet.deps.payments) {
    each.closeCheckout = () => Promise.reject(new Error('unreachable'))
  }
  expect((await remove(person, quiet)).status).toBe(200)
  await quiet.settled()
  return { person, id }
}

const sendDue = async (id: string) => {
  await query(
    testContext,
    'UPDATE outbox SET due_at = 0 WHERE id LIKE ? OR payload LIKE ?',
    `%${id}%`,
    `%${id}%`,
  )
  await resendEffects(deps).catch(() => undefined)
}

/** What the provider reports of a payment for an order. */
async function paymentOf(order_id: string, paid: { paid_cents: number; currency: string }) {
  const [row] = await query(testContext, 'SELECT provider_reference FROM orders WHERE id = ?', order_id)
  const payment = {
    kind: 'payment',
    order_id,
    reference: String(row?.provider_reference),
    state: 'paid',
  } as const
  return { ...payment, ...paid, charged: null, mandate: null }
}

describe('the payback of a provider that is not configured', () => {
  async function payWithout() {
    const { id } = await orderAndDelete('sandbox_card')
    const silent = makeTestContext({ SMTP_PORT: '9' })
    for (const each of silent.deps.payments) each.refund = () => Promise.reject(new Error('unreachable'))
    await sendCallbacks(silent, await actAtCheckout(id, 'pay'))
    await silent.settled()
    const reference = String((await eventsAbout(id))[0]?.reference)
    await payBack(WITHOUT, { provider: 'sandbox_card', reference })
    expect(await eventsAbout(id)).toMatchObject([{ payback: 'waiting', outcome: null }])
    return { id, reference }
  }

  test('waits, and continues once when the provider is configured again', async () => {
    const { id } = await payWithout()
    await pollPaybacks(WITHOUT)
    expect(await eventsAbout(id)).toMatchObject([{ payback: 'waiting' }])
    await Promise.all([pollPaybacks(deps), pollPaybacks(deps)])
    await testContext.settled()
    expect(await eventsAbout(id)).toMatchObject([{ payback: 'processing' }])
    expect((await showSandboxOrder(id)).refunds).toHaveLength(1)
  })

  test('can be settled by an administrator, and is not paid after that', async () => {
    const { id, reference } = await payWithout()
    const [event] = await eventsAbout(id)
    const body = { action: 'dismiss', note: 'paid by hand' }
    expect((await call('POST', `${EVENTS}/${event?.id}/settle`, { token: admin.token, body })).status).toBe(
      200,
    )
    await pollPaybacks(deps)
    await payBack(deps, { provider: 'sandbox_card', reference })
    await testContext.settled()
    expect((await showSandboxOrder(id)).refunds).toEqual([])
  })

  test('takes the place of an event of the same payment that was kept before', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: pack.id, provider: 'sandbox_card' })
    const reported = await paymentOf(id, { paid_cents: 1000, currency: 'EUR' })
    const event = () => ({ id: crypto.randomUUID(), occurred_at: Date.now() })
    const provider = { name: 'sandbox_card', kind: 'card' } as const
    await handlePayment(deps, provider, reported, event())
    expect(await eventsAbout(id)).toMatchObject([{ reason: 'other_currency' }])
    const quiet = makeTestContext({ SMTP_PORT: '9' })
    for (const each of quiet.deps.payments) each.closeCheckout = async () => true
    expect((await remove(person, quiet)).status).toBe(200)
    await handlePayment(WITHOUT_REFUND, provider, reported, event())
    expect(await eventsAbout(id)).toMatchObject([{ reason: 'account_deleted', payback: 'requested' }])
    expect(await eventsAbout(id, 'settled')).toMatchObject([{ outcome: 'superseded' }])
  })
})

describe('a checkout whose provider cannot be asked', () => {
  test.each([
    ['is not configured', WITHOUT],
    [
      'has no credentials',
      { ...deps, payments: deps.payments.map((each) => ({ ...each, finds_payments: false })) },
    ],
  ])('because it %s waits, and is closed once that has changed', async (_, without) => {
    const { id } = await orderAndDelete('sandbox_crypto')
    await closeCheckout(without, { order_id: id })
    await closeCheckout(without, { order_id: id })
    expect(await eventsAbout(id)).toMatchObject([{ reason: 'checkout_open', amount_cents: 0 }])
    await closeWaitingCheckouts(without)
    expect(await eventsAbout(id)).toHaveLength(1)
    await closeWaitingCheckouts(deps)
    await sendDue(id)
    expect(await eventsAbout(id)).toEqual([])
    expect(await eventsAbout(id, 'settled')).toMatchObject([{ outcome: 'closed' }])
  })
})

test('a surplus of a deleted account sends no email, because nobody knows the address of its payer', async () => {
  const person = await register(testContext)
  const id = await order(testContext, person, { package_id: pack.id, provider: 'sandbox_crypto' })
  await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
  expect((await remove(person)).status).toBe(200)
  await testContext.settled()
  const before = await emailsTo(testContext, person)
  const reported = await paymentOf(id, { paid_cents: 1500, currency: 'USD' })
  const event = { id: crypto.randomUUID(), occurred_at: Date.now() }
  await handlePayment(deps, { name: 'sandbox_crypto', kind: 'crypto' }, reported, event)
  await testContext.settled()
  const filter = '/api/v1/billing/admin/payments?has_surplus=true&limit=500' as const
  const { json } = await call('GET', filter, { token: admin.token })
  expect(json.find(({ order_id }) => order_id === id)).toMatchObject({ surplus_cents: 500 })
  expect(await emailsTo(testContext, person)).toEqual(before)
  const sql = "SELECT 1 FROM outbox WHERE kind = 'mail' AND id LIKE ?"
  expect(await query(testContext, sql, `mail:payment:${id}:%`)).toEqual([])
})

test('of the unpaid orders of an account, those that are waiting are first', async () => {
  const person = await register(testContext)
  const ids = [
    await order(testContext, person, { package_id: pack.id, provider: 'sandbox_card' }),
    await order(testContext, person, { package_id: pack.id, provider: 'sandbox_crypto' }),
  ]
  await query(testContext, "UPDATE orders SET status = 'expired' WHERE id = ?", ids[1] ?? '')
  expect((await unpaidOrdersQuery(deps.db, person.id)).map(({ id }) => id)).toEqual(ids)
})
