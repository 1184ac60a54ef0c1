import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { openOrderDesk, type Row } from '../../test/edge/worker/order-desk.ts'
import {
  actAtCheckout,
  buy,
  CONSENT,
  order,
  sendCallbacks,
  showOrder,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { DAY_MS, listPackage, listPlan, placeOrders } from '../../test/edge/worker/shop.ts'
import { loadLegalTexts } from '../legal/load-texts.ts'
import { listAccepted } from '../legal/rules/documents.ts'

const { testContext, query, post, ordersOf, monthsOf, termsOf, makeShop, bought, endTerm } = openOrderDesk()
const { call } = testContext
const MONTH_MS = 30 * DAY_MS

let plan: { id: number }
let pack: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
  pack = await listPackage(testContext, { price_cents: 800 })
})

describe('Purchase rule 1: credits of a hosted checkout land only when the order is paid', () => {
  test('a pack is delivered when paid', async () => {
    const person = await register(testContext)
    const answer = await post('checkout', person, { package_id: pack.id })
    expect(answer.status, answer.text).toBe(200)
    const { order_id, redirect_url, ...rest } = answer.json
    expect(rest).toEqual({ status: 'waiting', provider: 'sandbox_card', balance: 20 })
    expect(redirect_url).toMatch(/^http/)
    expect(await bought(person)).toEqual([])
    await sendCallbacks(testContext, await actAtCheckout(order_id, 'pay'))
    expect(await bought(person)).toEqual([['purchase', 500, true]])
    expect(await ordersOf(person)).toEqual([
      {
        order_id,
        kind: 'package',
        item_name: 'Tried',
        credits: 500,
        months: null,
        extends_term: false,
        amount_cents: 800,
        currency: 'USD',
        actually_paid_cents: 800,
        total_cents: 960,
        tax_cents: 160,
        total_currency: 'USD',
        receipt_number: expect.stringMatching(/^R-/),
        receipt_url: expect.stringMatching(/^http/),
        further_receipts: [],
        status: 'paid',
        credited_at: expect.stringMatching(/^20/),
        bundle_item_name: null,
        bundle_credits: null,
        bundle_amount_cents: null,
        bundle_discount_pct: null,
        provider: 'sandbox_card',
        auto_renew: false,
        created_at: expect.stringMatching(/^20/),
      },
    ])
  })

  test('a plan delivers one month when paid, and the others as they begin', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { plan_id: plan.id, months: 3 })
    expect(await termsOf(person)).toEqual([])
    const before = Date.now()
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await bought(person)).toEqual([['subscription', 1000, false]])
    const months = await monthsOf(person)
    expect(months.map(({ number, grant_sequence }) => [number, grant_sequence !== null])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ])
    const [term] = await termsOf(person)
    expect(term).toMatchObject({ plan_id: plan.id, renewal_status: 'off', mandate: null, ended_at: null })
    expect(Math.abs(Number(term?.period_end) - before - 3 * MONTH_MS)).toBeLessThan(60_000)
    expect(await showOrder(testContext, person, id)).toMatchObject({
      kind: 'subscription',
      credits: 3000,
      months: 3,
      amount_cents: 4050,
      extends_term: false,
      status: 'paid',
    })
    // Reads through a new isolate, which has no cached plan.
    const { json } = await makeTestContext().call('GET', '/api/v1/auth/me', { token: person.token })
    expect(json).toMatchObject({ tier: 'paid', plan_name: 'Tried' })
  })

  test('incomplete orders are listed too, newest first, by page', async () => {
    const person = await register(testContext)
    const ids = [
      await order(testContext, person, { package_id: pack.id }),
      await order(testContext, person, { plan_id: plan.id }),
    ]
    expect((await ordersOf(person)).map(({ order_id, status }: Row) => [order_id, status])).toEqual([
      [ids[1], 'waiting'],
      [ids[0], 'waiting'],
    ])
    const { json } = await call('GET', '/api/v1/billing/payments?limit=1&offset=1', { token: person.token })
    expect(json.map(({ order_id }: Row) => order_id)).toEqual([ids[0]])
    expect(await ordersOf(await register(testContext))).toEqual([])
  })

  test('the price of an order is fixed: a later price change has no effect', async () => {
    const person = await register(testContext)
    const changing = await listPlan(testContext, { price_cents: 1000 })
    const id = await order(testContext, person, { plan_id: changing.id })
    await query('UPDATE plans SET price_cents = 9000, period_credits = 5 WHERE id = ?', changing.id)
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await showOrder(testContext, person, id)).toMatchObject({ amount_cents: 1000, status: 'paid' })
    expect(await bought(person)).toEqual([['subscription', 1000, false]])
    const locks = await query('SELECT * FROM price_locks WHERE account_id = ?', person.id)
    expect(locks).toMatchObject([{ monthly_rate_cents: 1000, credits_per_month: 1000 }])
  })

  test('a provider failure fails the order, and the same key can retry', async () => {
    const person = await register(testContext)
    const broken = makeTestContext({ PAYMENT_SANDBOX_URL: 'http://127.0.0.1:9' })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { ...CONSENT, package_id: pack.id }
    const answer = await broken.call('POST', '/api/v1/billing/checkout', {
      token: person.token,
      body,
      headers,
    })
    expect([answer.status, answer.json.code]).toEqual([502, 'payment_provider_unavailable'])
    expect(await ordersOf(person)).toMatchObject([{ status: 'failed', actually_paid_cents: 0 }])
    const again = await call('POST', '/api/v1/billing/checkout', { token: person.token, body, headers })
    expect(again.status).toBe(200)
  })

  test('an account with fifty pending orders cannot create another until one is paid or expires', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: pack.id })
    await placeOrders(testContext, person, 49, { status: 'waiting', creditedAt: null })
    const answer = await post('checkout', person, { package_id: pack.id })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600'])
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect((await post('checkout', person, { package_id: pack.id })).status).toBe(200)
  })

  test('a request repeated with its idempotency key creates no second order', async () => {
    const person = await register(testContext)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { ...CONSENT, plan_id: plan.id }
    const ask = () => call('POST', '/api/v1/billing/subscribe', { token: person.token, body, headers })
    const [first, second] = [await ask(), await ask()]
    expect(second.json).toEqual(first.json)
    expect(await ordersOf(person)).toHaveLength(1)
  })

  test('the checkout receives the item, the amount and the return URL', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { plan_id: plan.id, months: 3, package_id: pack.id })
    const { payments } = await showSandboxOrder(id)
    expect(payments).toMatchObject([
      {
        amount_cents: 4050 + 720,
        currency: 'USD',
        description: 'Tried, 3 months + Tried',
        return_url: expect.stringContaining(`/billing/return?order_id=${id}`),
        renews_every_days: null,
      },
    ])
  })
})

describe('Purchase rule 2: months and rails', () => {
  test.each([2, 0, -3, 1.5, 1000, 1e18])('%d months, which are not offered, are a 400', async (months) => {
    const person = await register(testContext)
    const answer = await post('subscribe', person, { plan_id: plan.id, months })
    expect([answer.status, answer.code]).toEqual([400, 'months_not_offered'])
    expect(await ordersOf(person)).toEqual([])
  })

  test('unknown plans and packs are a 404', async () => {
    const person = await register(testContext)
    expect((await post('subscribe', person, { plan_id: 999_999_999 })).status).toBe(404)
    expect((await post('subscribe', person, { plan_id: plan.id, package_id: 999_999_999 })).status).toBe(404)
    expect((await post('checkout', person, { package_id: 999_999_999 })).status).toBe(404)
  })

  test('a rail can be named; an unknown one is a 400', async () => {
    const person = await register(testContext)
    const named = await post('checkout', person, { package_id: pack.id, provider: 'sandbox_crypto' })
    expect(named.json).toMatchObject({ provider: 'sandbox_crypto', status: 'waiting' })
    const unknown = await post('checkout', person, { package_id: pack.id, provider: 'cheque' })
    expect([unknown.status, unknown.code]).toEqual([400, 'payment_provider_closed'])
  })

  test('a closed rail is a 400 without fallback; its open orders still settle', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: pack.id })
    const closed = await makeShop({ payment_providers_closed: ['sandbox_card'] })
    const named = await post('checkout', person, { package_id: pack.id, provider: 'sandbox_card' }, closed)
    expect([named.status, named.code]).toEqual([400, 'payment_provider_closed'])
    const { json } = await closed.call('GET', '/api/v1/billing/providers', { token: person.token })
    expect(json).toMatchObject([{ name: 'sandbox_crypto', is_default: true }])
    await sendCallbacks(closed, await actAtCheckout(id, 'pay'))
    expect(await bought(person)).toEqual([['purchase', 500, true]])
  })
})

describe('Purchase rule 3: consents', () => {
  test.each([
    ['accept_documents', { accept_documents: false }],
    ['accept_immediate', { accept_immediate: false }],
    ['accept_documents', { accept_documents: undefined, accept_terms: true }],
  ])('without %s it is a 400 that names the field', async (name, changed) => {
    const person = await register(testContext)
    for (const [path, item] of [
      ['checkout', { package_id: pack.id }],
      ['subscribe', { plan_id: plan.id }],
    ] as const) {
      const answer = await post(path, person, { ...item, ...changed })
      expect([answer.status, answer.code]).toEqual([400, 'consent_required'])
      expect(answer.json.detail).toMatch(new RegExp(`^${name} `))
    }
    expect(await ordersOf(person)).toEqual([])
  })

  test.each([
    ['uk', 'uk'],
    ['de', null],
    [7, null],
    [null, null],
    [undefined, null],
  ] as const)(
    'the locale %j is recorded as %j, with the versions and hashes of the documents in that language',
    async (consent_locale, recorded) => {
      const person = await register(testContext)
      const body = { package_id: pack.id, consent_locale, terms_version: 'mine' }
      const id = await order(testContext, person, body)
      const [row] = await query(
        'SELECT consent_locale, terms_version, accepted_documents FROM orders WHERE id = ?',
        id,
      )
      const accepted = listAccepted(await loadLegalTexts(testContext.deps), recorded ?? 'en')
      expect(accepted.map(({ document }) => document)).toEqual(['terms', 'refunds'])
      expect(row).toEqual({
        consent_locale: recorded,
        terms_version: accepted[0]?.version,
        accepted_documents: JSON.stringify(accepted),
      })
    },
  )
})

describe('Purchase rule 4: a bundle', () => {
  test('is one order and one charge, and both parts land once, together, without a running term', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { plan_id: plan.id, package_id: pack.id })
    const callbacks = await actAtCheckout(id, 'pay')
    await sendCallbacks(testContext, [...callbacks, ...callbacks])
    expect(await bought(person)).toEqual([
      ['purchase', 500, true],
      ['subscription', 1000, false],
    ])
    expect(await showOrder(testContext, person, id)).toMatchObject({
      kind: 'subscription',
      credits: 1000,
      amount_cents: 1500 + 720,
      actually_paid_cents: 2220,
      bundle_item_name: 'Tried',
      bundle_credits: 500,
      bundle_amount_cents: 720,
      bundle_discount_pct: 10,
    })
  })

  test('needs no running term even when packs are add-ons', async () => {
    const addOns = await makeShop({ packs_require_subscription: true })
    const body = { plan_id: plan.id, package_id: pack.id }
    expect((await post('subscribe', await register(testContext), body, addOns)).status).toBe(200)
  })
})

describe('Purchase rule 5: packs as add-ons', () => {
  test('a pack alone is a 409 subscription_required without a running term, and creates no order', async () => {
    const addOns = await makeShop({ packs_require_subscription: true })
    const person = await register(testContext)
    const answer = await post('checkout', person, { package_id: pack.id }, addOns)
    expect([answer.status, answer.code]).toEqual([409, 'subscription_required'])
    expect(await ordersOf(person)).toEqual([])
    await buy(testContext, person, { plan_id: plan.id })
    expect((await post('checkout', person, { package_id: pack.id }, addOns)).status).toBe(200)
    await endTerm(person)
    expect((await post('checkout', person, { package_id: pack.id }, addOns)).status).toBe(409)
  })
})

describe('Purchase rule 6: payments that are disabled', () => {
  test.each([
    [
      'for the account',
      async (person: Person) => {
        await query('UPDATE accounts SET payments_enabled = 0 WHERE id = ?', person.id)
        return testContext
      },
    ],
    ['for everybody', () => makeShop({ payments_live: false })],
    ['without a provider', async () => makeTestContext({ PAYMENT_SANDBOX_URL: undefined })],
  ])('%s: 403 with a sentence, before any other error', async (_what, prepare) => {
    const person = await register(testContext)
    const where = await prepare(person)
    for (const [path, item] of [
      ['checkout', { package_id: 999_999_999 }],
      ['subscribe', { plan_id: plan.id, accept_documents: false }],
    ] as const) {
      const answer = await post(path, person, item, where)
      expect([answer.status, answer.code]).toEqual([403, 'payments_not_enabled'])
    }
  })
})
