import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import {
  actAtCheckout,
  sendCallback,
  sendCallbacks,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person } from '../../test/edge/worker/people.ts'
import { DAY_MS, listPlan } from '../../test/edge/worker/shop.ts'
import {
  actOnMandate,
  age,
  cancelRenewal,
  deliveredTo,
  emailsTo,
  openSubscriber,
  showTerm,
  transitionsOf,
} from '../../test/edge/worker/terms.ts'
import type { RenewalEvent } from '../payments/provider.ts'
import { runScheduled } from '../scheduled.ts'
import { handleMandateEvent, handleRenewal } from './handle-event.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })

let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
})

const subscriber = (months = 1) => openSubscriber(testContext, plan.id, months)

async function query(sql: string, ...args: (string | number)[]) {
  return (await testContext.deps.db.$client.execute({ sql, args })).rows
}

async function ordersOf({ token }: Person) {
  return (await testContext.call('GET', '/api/v1/billing/payments', { token })).json
}

async function emailsOf(person: Person, kind: string) {
  return (await emailsTo(testContext, person)).filter(({ content }) => content.kind === kind)
}

const provider = { name: 'sandbox_card' }
const eventOf = (reported: RenewalEvent, occurred_at = Date.now()) => ({
  event_id: crypto.randomUUID(),
  occurred_at,
  reported,
})
const charged = (mandate: string, changed: Partial<RenewalEvent> = {}): RenewalEvent => ({
  kind: 'renewal',
  mandate,
  reference: crypto.randomUUID(),
  state: 'paid',
  amount_cents: 1500,
  currency: 'USD',
  charged: null,
  ...changed,
})

describe('a successful charge', () => {
  test('creates a paid order and extends the term, and its month lands when the last one ends', async () => {
    const { person, order_id } = await subscriber()
    await query("UPDATE orders SET terms_version = 'first', accepted_documents = '[]' WHERE id = ?", order_id)
    const before = await showTerm(testContext, person)
    await age(testContext, person, 30)
    await actOnMandate(testContext, order_id, 'charge')
    const [renewal, first] = await ordersOf(person)
    expect(renewal).toMatchObject({
      kind: 'subscription',
      item_name: 'Tried',
      status: 'paid',
      months: 1,
      credits: 1000,
      amount_cents: 1500,
      actually_paid_cents: 1500,
      currency: 'USD',
      total_cents: 1800,
      tax_cents: 300,
      extends_term: true,
    })
    expect(first?.order_id).toBe(order_id)
    const accepted = await query(
      'SELECT DISTINCT terms_version, accepted_documents FROM orders WHERE account_id = ?',
      person.id,
    )
    // A charge falls under what was accepted with the first order, whatever the current documents are.
    expect(accepted).toEqual([{ terms_version: 'first', accepted_documents: '[]' }])
    expect(await showTerm(testContext, person)).toMatchObject({
      period_start: new Date(timeOf(before?.period_start) - 30 * DAY_MS).toISOString(),
      period_end: new Date(timeOf(before?.period_end)).toISOString(),
      renews_at: before?.renews_at,
      renewal_status: 'active',
      months_total: 2,
      months_granted: 2,
      grace_until: null,
    })
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
    const { entries, check } = await ledgerOf(testContext, person)
    expect(entries[0]).toMatchObject({ entry_type: 'subscription', order_id: renewal?.order_id })
    // The rest of the previous month's credits expired, so nothing accumulates.
    expect(check).toMatchObject({ ok: true, balance: 1020 })
    expect(await emailsOf(person, 'order')).toHaveLength(2)
    expect(await transitionsOf(testContext, person)).toEqual([
      ['active', 'order'],
      ['active', 'order'],
    ])
  })

  test('before the end of the month is delivered at its end', async () => {
    const { person, order_id } = await subscriber()
    await actOnMandate(testContext, order_id, 'charge')
    expect(await deliveredTo(testContext, person)).toEqual([1000])
    expect(await showTerm(testContext, person)).toMatchObject({ months_total: 2, months_granted: 1 })
    await age(testContext, person, 31)
    await ledgerOf(testContext, person)
    await testContext.call('GET', '/api/v1/billing/balance', { token: person.token })
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
  })

  test('for three months delivers three, one by one', async () => {
    const { person, order_id } = await subscriber(3)
    await age(testContext, person, 90)
    await actOnMandate(testContext, order_id, 'charge')
    expect(await showTerm(testContext, person)).toMatchObject({ months_total: 6, months_granted: 4 })
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000, 1000, 1000])
  })

  test('reported ten times concurrently and once later counts once', async () => {
    const { person, order_id } = await subscriber()
    const callbacks = await actAtCheckout(order_id, 'charge')
    const ten = Array.from({ length: 10 }, () => callbacks).flat()
    const answers = await Promise.all(ten.map((callback) => sendCallback(testContext, callback)))
    await sendCallbacks(testContext, callbacks)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await ordersOf(person)).toHaveLength(2)
    expect(await showTerm(testContext, person)).toMatchObject({ months_total: 2 })
    expect(await emailsOf(person, 'order')).toHaveLength(2)
  })

  test('reported by two events with different ids counts once', async () => {
    const { person, mandate } = await subscriber()
    const reported = charged(mandate)
    await Promise.all([
      handleRenewal(testContext.deps, provider, eventOf(reported)),
      handleRenewal(testContext.deps, provider, eventOf(reported)),
    ])
    expect(await showTerm(testContext, person)).toMatchObject({ months_total: 2 })
  })

  test.each([
    ['another amount', { amount_cents: 999 }],
    ['another currency', { currency: 'EUR' }],
    ['nothing', { amount_cents: 0 }],
  ] as [string, Partial<RenewalEvent>][])('for %s is accepted as charged', async (_what, changed) => {
    const { person, mandate } = await subscriber()
    await handleRenewal(testContext.deps, provider, eventOf(charged(mandate, changed)))
    const [renewal] = await ordersOf(person)
    const { amount_cents = 1500, currency = 'USD' } = changed
    expect(renewal).toMatchObject({ status: 'paid', actually_paid_cents: amount_cents, currency })
    expect(await showTerm(testContext, person)).toMatchObject({ months_total: 2, renewal_amount_cents: 1500 })
  })

  test('of an unknown mandate is accepted and changes nothing', async () => {
    await handleRenewal(testContext.deps, provider, eventOf(charged('sub_nobody')))
    await handleMandateEvent(testContext.deps, provider, {
      event_id: crypto.randomUUID(),
      occurred_at: Date.now(),
      reported: { kind: 'mandate', mandate: 'sub_nobody', state: 'cancelled' },
    })
  })

  test('after a cancellation is accepted and stays cancelled, and the mandate is ended again', async () => {
    const { person, order_id, mandate } = await subscriber()
    await cancelRenewal(testContext, person)
    await handleRenewal(testContext.deps, provider, eventOf(charged(mandate)))
    expect(await showTerm(testContext, person)).toMatchObject({
      months_total: 2,
      renewal_status: 'cancelling',
      renews_at: null,
    })
    await eventually('the mandate to end', async () =>
      (await showSandboxOrder(order_id)).mandates.every(({ status }) => status === 'canceled'),
    )
  })

  test('after the term closed opens a new term from now, which does not renew', async () => {
    const { person, order_id, mandate } = await subscriber()
    await actOnMandate(testContext, order_id, 'fail_charge')
    await age(testContext, person, 40)
    await runScheduled(testContext.deps)
    expect(await showTerm(testContext, person)).toBeNull()
    const begun = Date.now()
    await handleRenewal(testContext.deps, provider, eventOf(charged(mandate)))
    const term = await showTerm(testContext, person)
    expect(term).toMatchObject({
      renewal_status: 'off',
      months_total: 1,
      months_granted: 1,
      can_cancel: false,
    })
    expect(timeOf(term?.period_start)).toBeGreaterThanOrEqual(begun)
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
    // A second charge appends another month.
    await handleRenewal(testContext.deps, provider, eventOf(charged(mandate)))
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'off', months_total: 2 })
  })
})

describe('a failed charge', () => {
  test('keeps access during the grace, grants nothing, and sends one email', async () => {
    const { person, order_id } = await subscriber()
    await age(testContext, person, 30)
    const before = await showTerm(testContext, person)
    await actOnMandate(testContext, order_id, 'fail_charge')
    await actOnMandate(testContext, order_id, 'fail_charge')
    expect(await showTerm(testContext, person)).toMatchObject({
      renewal_status: 'past_due',
      auto_renew: true,
      period_end: before?.period_end,
      renews_at: before?.renews_at,
      grace_until: new Date(timeOf(before?.renews_at) + 7 * DAY_MS).toISOString(),
      months_total: 1,
    })
    expect(await deliveredTo(testContext, person)).toEqual([1000])
    const emails = await emailsOf(person, 'renewal')
    expect(emails.map(({ content }) => content.status)).toEqual(['failed'])
    const fresh = makeTestContext()
    expect((await fresh.call('GET', '/api/v1/auth/me', { token: person.token })).json.tier).toBe('paid')
  })

  test('followed by a successful one clears the grace and delivers the cycle at once', async () => {
    const { person, order_id } = await subscriber()
    await age(testContext, person, 33)
    await actOnMandate(testContext, order_id, 'fail_charge')
    const failed = await showTerm(testContext, person)
    await actOnMandate(testContext, order_id, 'charge')
    expect(await showTerm(testContext, person)).toMatchObject({
      renewal_status: 'active',
      grace_until: null,
      period_end: new Date(timeOf(failed?.period_end) + 30 * DAY_MS).toISOString(),
      renews_at: new Date(timeOf(failed?.renews_at) + 30 * DAY_MS).toISOString(),
    })
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
  })

  test('reported after the successful charge changes nothing', async () => {
    const { person, order_id, mandate } = await subscriber()
    const failed = await actAtCheckout(order_id, 'fail_charge')
    const landed = await actAtCheckout(order_id, 'charge')
    await sendCallbacks(testContext, [...landed, ...failed, ...landed])
    const earlier = Date.now() - DAY_MS
    await handleRenewal(testContext.deps, provider, eventOf(charged(mandate, { state: 'failed' }), earlier))
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'active', months_total: 2 })
    expect(await emailsOf(person, 'renewal')).toEqual([])
  })

  test('after a cancellation, or on a term that never renewed, changes nothing', async () => {
    const { person, mandate } = await subscriber()
    await cancelRenewal(testContext, person)
    const before = await showTerm(testContext, person)
    await handleRenewal(testContext.deps, provider, eventOf(charged(mandate, { state: 'failed' })))
    expect(await showTerm(testContext, person)).toEqual(before)
  })
})

describe('events of two cycles', () => {
  test('in any order, repeated, end in the same state, with each month once', {
    tags: ['extended'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (dice) => {
        const { person, order_id } = await subscriber()
        const before = await showTerm(testContext, person)
        const callbacks = []
        for (const action of ['fail_charge', 'charge', 'fail_charge', 'charge']) {
          callbacks.push(...(await actAtCheckout(order_id, action)))
        }
        const twice = [...callbacks, ...callbacks].map((callback) => ({ callback, at: dice.next().value }))
        twice.sort((one, other) => one.at - other.at)
        await sendCallbacks(
          testContext,
          twice.map(({ callback }) => callback),
        )
        expect(await showTerm(testContext, person)).toMatchObject({
          renewal_status: 'active',
          months_total: 3,
          grace_until: null,
          renews_at: new Date(timeOf(before?.renews_at) + 60 * DAY_MS).toISOString(),
        })
        expect(await ordersOf(person)).toHaveLength(3)
      }),
      { numRuns: 8, seed: 11 },
    )
  })

  test('concurrent with a cancellation count the payment, and the term does not renew', async () => {
    const { person, order_id } = await subscriber()
    const callbacks = await actAtCheckout(order_id, 'charge')
    const [cancelled] = await Promise.all([
      cancelRenewal(testContext, person),
      ...callbacks.map((callback) => sendCallback(testContext, callback)),
    ])
    expect(cancelled.status).toBe(200)
    expect(await showTerm(testContext, person)).toMatchObject({
      renewal_status: 'cancelling',
      months_total: 2,
    })
  })

  test('concurrent with the end of the grace deliver the month once, whichever is first', {
    tags: ['extended'],
  }, async () => {
    for (let round = 0; round < 5; round++) {
      const { person, order_id } = await subscriber()
      await actOnMandate(testContext, order_id, 'fail_charge')
      await age(testContext, person, 38)
      const callbacks = await actAtCheckout(order_id, 'charge')
      await Promise.all([
        runScheduled(testContext.deps),
        ...callbacks.map((callback) => sendCallback(testContext, callback)),
      ])
      expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
      expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 1020 })
      expect((await showTerm(testContext, person))?.months_granted).toBeGreaterThan(0)
    }
  })
})
