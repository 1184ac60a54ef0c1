import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { actAtCheckout, order, sendCallbacks, showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { listPlan, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { deliveredTo, emailsTo, showTerm, subscribe } from '../../test/edge/worker/terms.ts'
import { handlePayment } from '../orders/handle-payment.ts'
import { keepEventStatement } from '../payments/unmatched-event-queries.ts'
import { runScheduled } from '../scheduled.ts'
import { applyMatchedEvents } from './apply-matched-events.ts'
import { handleRenewal } from './handle-event.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })
const EVENTS = '/api/v1/admin/unmatched-events'
const RENEWING = { auto_renew: true, accept_recurring: true, provider: 'sandbox_card' }
const card = { name: 'sandbox_card', kind: 'card' as const }
const coins = { name: 'sandbox_crypto', kind: 'crypto' as const }

let admin: Person
let plan: { id: number }
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
  plan = await listPlan(testContext, { price_cents: 1500 })
})

type Row = Record<string, unknown>

async function listEvents(about: string, status = 'open'): Promise<Row[]> {
  const { json } = await testContext.call('GET', `${EVENTS}?status=${status}&limit=500`, {
    token: admin.token,
  })
  return json.filter((row: Row) => row.about === about)
}

const settle = (id: unknown, body: object, headers = {}) =>
  testContext.call('POST', `${EVENTS}/${id}/settle`, { token: admin.token, body, headers })

const UNTAXED = { charged: null, mandate: null }

async function payUnknownOrder(cents = 900): Promise<string> {
  const order_id = `O-${crypto.randomUUID()}`
  const event = { id: crypto.randomUUID(), occurred_at: Date.now() }
  const reference = crypto.randomUUID()
  const reported = {
    kind: 'payment',
    order_id,
    reference,
    state: 'paid',
    paid_cents: cents,
    ...UNTAXED,
  } as const
  await handlePayment(testContext.deps, card, { ...reported, currency: 'USD' }, event)
  await handlePayment(testContext.deps, card, { ...reported, currency: 'USD' }, event)
  return order_id
}

describe('mandate events before the payment that creates the mandate', () => {
  test('include a cancellation: the term is never shown as renewing', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { plan_id: plan.id, ...RENEWING })
    const paid = await actAtCheckout(id, 'pay')
    const cancelled = await actAtCheckout(id, 'cancel')
    await sendCallbacks(testContext, [...cancelled, ...cancelled, ...paid, ...cancelled])
    expect(await showTerm(testContext, person)).toMatchObject({
      renewal_status: 'cancelling',
      auto_renew: false,
      renews_at: null,
    })
    const [mandate] = (await showSandboxOrder(id)).mandates
    expect(await listEvents(mandate?.id ?? '')).toEqual([])
    expect(await listEvents(mandate?.id ?? '', 'settled')).toMatchObject([{ outcome: 'applied' }])
    const emails = (await emailsTo(testContext, person)).filter(({ content }) => content.kind === 'renewal')
    expect(emails.map(({ content }) => content.status)).toEqual(['cancelled'])
  })

  test('include a charge and a failure, which are applied in the order they occurred', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { plan_id: plan.id, ...RENEWING })
    const paid = await actAtCheckout(id, 'pay')
    const failed = await actAtCheckout(id, 'fail_charge')
    const charged = await actAtCheckout(id, 'charge')
    await sendCallbacks(testContext, [...charged, ...failed, ...paid])
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'active', months_total: 2 })
    expect(await deliveredTo(testContext, person)).toEqual([1000])
  })

  test('stored concurrently with the payment are applied once by the scheduled handler', async () => {
    const person = await register(testContext)
    const id = await subscribe(testContext, person, plan.id)
    const mandate = (await showSandboxOrder(id)).mandates[0]?.id ?? ''
    await keepEventStatement(testContext.deps.db, {
      ...{ provider: card.name, eventId: crypto.randomUUID(), kind: 'mandate', about: mandate },
      ...{ event: { kind: 'mandate', mandate, state: 'cancelled' }, occurredAt: 1, createdAt: Date.now() },
    })
    await Promise.all([runScheduled(testContext.deps), runScheduled(testContext.deps)])
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'cancelling' })
    expect(await listEvents(mandate, 'settled')).toMatchObject([{ outcome: 'applied' }])
  })
})

test('three concurrent runs apply a stored event once, and none fails', async () => {
  const person = await register(testContext)
  const id = await subscribe(testContext, person, plan.id)
  const mandate = (await showSandboxOrder(id)).mandates[0]?.id ?? ''
  await keepEventStatement(testContext.deps.db, {
    ...{ provider: card.name, eventId: crypto.randomUUID(), kind: 'mandate', about: mandate },
    ...{ event: { kind: 'mandate', mandate, state: 'paused' }, occurredAt: 1, createdAt: Date.now() },
  })
  await Promise.all([1, 2, 3].map(() => applyMatchedEvents(testContext.deps)))
  expect(await listEvents(mandate, 'settled')).toMatchObject([{ outcome: 'applied' }])
})

describe('unmatched money', () => {
  test('of an unknown order waits, can be granted once to an account, and is audited', async () => {
    const order_id = await payUnknownOrder()
    const [event, ...others] = await listEvents(order_id)
    expect(others).toEqual([])
    expect(event).toMatchObject({ kind: 'payment', state: 'paid', amount_cents: 900, currency: 'USD' })
    const person = await register(testContext)
    const body = { action: 'grant', account_id: person.id, credits: 300, note: 'paid by a copied link' }
    const answers = await Promise.all([1, 2, 3].map(() => settle(event?.id, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { entries, check } = await ledgerOf(testContext, person)
    expect(check).toMatchObject({ ok: true, balance: 320 })
    expect(entries[0]).toMatchObject({ entry_type: 'adjust', amount: 300, note: 'paid by a copied link' })
    expect(await listEvents(order_id)).toEqual([])
    expect(await listEvents(order_id, 'settled')).toMatchObject([{ outcome: 'granted' }])
    const target = encodeURIComponent(`unmatched_event:${event?.id}`)
    const audit = await testContext.call('GET', `/api/v1/admin/audit?target=${target}`, {
      token: admin.token,
    })
    expect(audit.json).toMatchObject([
      { administrator_id: admin.id, after: { outcome: 'granted', account_id: person.id, credits: 300 } },
    ])
  })

  test('of an unknown mandate waits and can be dismissed with a reason', async () => {
    const mandate = `sub_${crypto.randomUUID()}`
    const event = { event_id: crypto.randomUUID(), occurred_at: Date.now() }
    await handleRenewal(testContext.deps, card, {
      ...event,
      reported: {
        ...{ kind: 'renewal', mandate, reference: 'txn', state: 'paid', amount_cents: 1500, currency: 'USD' },
        charged: null,
      },
    })
    const [row] = await listEvents(mandate)
    expect(row).toMatchObject({ kind: 'renewal', amount_cents: 1500, outcome: null })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { action: 'dismiss', note: 'refunded at the provider' }
    const answers = [await settle(row?.id, body, headers), await settle(row?.id, body, headers)]
    expect(answers.map(({ json }) => json.outcome)).toEqual(['dismissed', 'dismissed'])
    expect((await settle(row?.id, body)).status).toBe(409)
  })

  test('of a second payment or in another currency waits as well', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { plan_id: plan.id, provider: 'sandbox_card' })
    const event = () => ({ id: crypto.randomUUID(), occurred_at: Date.now() })
    const reference = (await showSandboxOrder(id)).payments[0]?.reference ?? ''
    const reported = {
      kind: 'payment',
      order_id: id,
      state: 'paid',
      paid_cents: 1500,
      ...UNTAXED,
    } as const
    await handlePayment(testContext.deps, card, { ...reported, reference, currency: 'EUR' }, event())
    await handlePayment(
      testContext.deps,
      card,
      { ...reported, reference: 'another', currency: 'USD' },
      event(),
    )
    expect(await listEvents(id)).toMatchObject([
      { reference: 'another', amount_cents: 1500, currency: 'USD' },
      { reference, amount_cents: 1500, currency: 'EUR' },
    ])
    expect(await deliveredTo(testContext, person)).toEqual([])
  })

  test.each([
    ['in order', [500, 1000, 1000]],
    ['in reverse order', [1000, 1000, 500]],
  ])('of one payment reported by several events, %s, can be granted once', async (_how, amounts) => {
    const order_id = `O-${crypto.randomUUID()}`
    const reported = {
      kind: 'payment',
      order_id,
      reference: 'invoice',
      currency: 'USD',
      ...UNTAXED,
    } as const
    for (const paid_cents of amounts) {
      const state = paid_cents === 1000 ? 'paid' : 'partially_paid'
      const event = { id: crypto.randomUUID(), occurred_at: Date.now() }
      await handlePayment(testContext.deps, coins, { ...reported, state, paid_cents }, event)
    }
    const [open, ...others] = await listEvents(order_id)
    expect([open?.amount_cents, others]).toEqual([1000, []])
    expect((await listEvents(order_id, 'settled')).map(({ outcome }) => outcome)).toEqual([
      'superseded',
      'superseded',
    ])
    const person = await register(testContext)
    const body = { action: 'grant', account_id: person.id, credits: 300, note: 'paid in coins' }
    expect((await settle(open?.id, body)).status).toBe(200)
    const late = { id: crypto.randomUUID(), occurred_at: Date.now() }
    await handlePayment(
      testContext.deps,
      coins,
      { ...reported, state: 'partially_paid', paid_cents: 500 },
      late,
    )
    expect(await listEvents(order_id)).toEqual([])
  })

  test('without an amount leaves no event for an unknown order', async () => {
    expect(await listEvents(await payUnknownOrder(0))).toEqual([])
  })

  test.each([
    [{ action: 'grant', note: 'x' }, 422],
    [{ action: 'grant', note: 'x', account_id: 999_999_999, credits: 1 }, 404],
    [{ action: 'dismiss', note: 'x', credits: 5, account_id: 1 }, 422],
    [{ action: 'dismiss', note: ' ' }, 422],
    [{ action: 'dismiss' }, 422],
  ])('%j is refused', async (body, status) => {
    const [event] = await listEvents(await payUnknownOrder())
    expect((await settle(event?.id, body)).status).toBe(status)
  })

  test('is only for administrators, and an unknown event is a 404', async () => {
    const { token } = await register(testContext)
    expect((await testContext.call('GET', EVENTS, { token })).status).toBe(403)
    expect((await settle(999_999_999, { action: 'dismiss', note: 'x' })).status).toBe(404)
  })
})
