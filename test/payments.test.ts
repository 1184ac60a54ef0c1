import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import type { Account } from './support/accounts.ts'
import {
  CONSENT,
  call,
  entriesOf,
  listOrders,
  openOrder,
  passDays,
  press,
  query,
  refusalOf,
  runScheduled,
  settles,
  showOrder,
  showTerm,
  useCustomers,
  waitForLetters,
} from './support/checkout.ts'
import { usePage } from './support/chromium.ts'
import { openSandbox } from './support/payment-sandbox.ts'

const system = inject('system')
const sandbox = openSandbox(system)
const openCustomer = useCustomers(system)
const DAILY = 20

const page = usePage()
const admin = new Client(system.api_url)
beforeAll(async () => {
  await admin.login(system.admin)
})

/** Opens an order, and pays it at the page as a person would. */
async function pay(account: Account, item: object, callbacks: 'once' | 'twice' = 'once'): Promise<string> {
  const { order_id, redirect_url } = await openOrder(account.client, item)
  const { url } = await press(page(), redirect_url, { button: 'Pay', callbacks })
  expect([url.origin, url.pathname]).toEqual([system.api_url, '/billing/return'])
  expect(url.searchParams.get('order_id')).toBe(order_id)
  await settles(account.client, order_id, 'paid')
  return order_id
}

/** Changes settings for the time of some work; the running system hears of it within five seconds. */
async function underSettings(settings: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  const change = (values: Record<string, unknown>) =>
    call(admin, 'PATCH', '/api/v1/admin/settings', z.unknown(), values)
  await change(settings)
  try {
    await work()
  } finally {
    await change(Object.fromEntries(Object.keys(settings).map((name) => [name, null])))
  }
}

/** Waits until a checkout is answered so: what was changed is heard of within five seconds. */
async function checkoutAnswers(client: Client, status: number, item: object = { package_id: 1 }) {
  const ask = () => client.send('POST', '/api/v1/billing/checkout', { ...CONSENT, ...item })
  await expect.poll(async () => (await ask()).status, { timeout: 15_000 }).toBe(status)
}

describe('Purchase rule 1: credits land when the order is paid at the hosted page, once, with one letter', () => {
  test.each([
    ['by card', 'sandbox_card'],
    ['by crypto', 'sandbox_crypto'],
  ])('a pack %s', async (_by, provider) => {
    const account = await openCustomer()
    const opened = await openOrder(account.client, { package_id: 1, provider })
    expect(opened).toMatchObject({ status: 'waiting', provider, balance: DAILY })
    expect(await account.client.balance()).toBe(DAILY)
    await press(page(), opened.redirect_url, { button: 'Pay' })
    await settles(account.client, opened.order_id, 'paid')
    expect(await entriesOf(account.client, opened.order_id)).toEqual([['purchase', 100]])
    expect(await account.client.balance()).toBe(DAILY + 100)
    expect(await showOrder(account.client, opened.order_id)).toMatchObject({
      kind: 'package',
      amount_cents: 200,
      actually_paid_cents: 200,
    })
    const [letter] = await waitForLetters(system, account, 1)
    expect(letter?.subject).toBe(`Your order ${opened.order_id} is paid`)
  })

  test.each([
    [1, 500],
    [12, 4800],
  ])(
    'a plan by card for %i months: the first now, the others as they begin',
    async (months, amount_cents) => {
      const account = await openCustomer()
      const id = await pay(account, { plan_id: 1, months, consent_locale: 'ru' })
      expect(await entriesOf(account.client, id)).toEqual([['subscription', 500]])
      expect(await showOrder(account.client, id)).toMatchObject({
        kind: 'subscription',
        credits: months * 500,
        amount_cents,
      })
      const term = await showTerm(account.client)
      expect(term).toMatchObject({ months_total: months, months_granted: 1, renewal_status: 'off' })
      expect(term?.next_grant_at === null).toBe(months === 1)
      const [letter] = await waitForLetters(system, account, 1)
      expect(letter?.subject).toBe(`Ваш заказ ${id} оплачен`)
    },
  )
})

describe('Purchase rule 2: months, rails', () => {
  test('months that are not sold, and a rail that nobody knows, are a 400; no order is opened', async () => {
    const { client } = await openCustomer()
    const ask = (item: object) =>
      refusalOf(client, 'POST', '/api/v1/billing/subscribe', { ...CONSENT, ...item })
    expect(await ask({ plan_id: 1, months: 2 })).toEqual([400, 'months_not_offered'])
    expect(await ask({ plan_id: 1, provider: 'cheque' })).toEqual([400, 'payment_provider_closed'])
    expect(await listOrders(client)).toEqual([])
  })

  test('an order that is open settles though its rail is closed meanwhile', async () => {
    const { client } = await openCustomer()
    const { order_id } = await openOrder(client, { package_id: 1 })
    const item = { package_id: 1, provider: 'sandbox_card' }
    await underSettings({ payment_providers_closed: ['sandbox_card'] }, async () => {
      await checkoutAnswers(client, 400, item)
      await sandbox.act(order_id, 'pay')
      await settles(client, order_id, 'paid')
    })
    await checkoutAnswers(client, 200, item)
    expect(await client.balance()).toBe(DAILY + 100)
  })
})

test('Purchase rule 3: both consents are asked for by name, and nothing is opened without them', async () => {
  const { client } = await openCustomer()
  for (const name of Object.keys(CONSENT)) {
    const body = { package_id: 1, ...CONSENT, [name]: false }
    const refusal = await refusalOf(client, 'POST', '/api/v1/billing/checkout', body)
    expect(refusal).toEqual([400, 'consent_required'])
  }
  expect(await listOrders(client)).toEqual([])
})

test('Purchase rule 4: a bundle is one order and one charge; both halves land together, once', async () => {
  const account = await openCustomer()
  const item = { plan_id: 1, months: 3, package_id: 1, consent_locale: 'uk' }
  const id = await pay(account, item, 'twice')
  expect(await entriesOf(account.client, id)).toEqual([
    ['purchase', 100],
    ['subscription', 500],
  ])
  expect(await showOrder(account.client, id)).toMatchObject({
    amount_cents: 1350 + 180,
    actually_paid_cents: 1530,
    bundle_amount_cents: 180,
  })
  const [letter] = await waitForLetters(system, account, 1)
  expect(letter?.subject).toBe(`Ваше замовлення ${id} оплачено`)
  expect(letter?.text).toContain('Starter')
})

test('Purchase rule 5: where packs are add-ons, one without a running plan is a 409 subscription_required', async () => {
  const [without, subscriber] = [await openCustomer(), await openCustomer()]
  await pay(subscriber, { plan_id: 1 })
  await underSettings({ packs_require_subscription: true }, async () => {
    await checkoutAnswers(without.client, 409)
    const body = { ...CONSENT, package_id: 1 }
    const refusal = await refusalOf(without.client, 'POST', '/api/v1/billing/checkout', body)
    expect(refusal).toEqual([409, 'subscription_required'])
    expect(await listOrders(without.client)).toEqual([])
    await checkoutAnswers(subscriber.client, 200)
  })
  await checkoutAnswers(without.client, 200)
})

test('Purchase rule 6: an account whose payments are not switched on gets a 403 with a sentence', async () => {
  const { client, id } = await openCustomer()
  await call(admin, 'PATCH', `/api/v1/admin/accounts/${id}`, z.unknown(), { payments_enabled: false })
  await checkoutAnswers(client, 403)
  const refusal = await refusalOf(client, 'POST', '/api/v1/billing/checkout', { ...CONSENT, package_id: 1 })
  expect(refusal).toEqual([403, 'payments_not_enabled'])
  expect(await call(client, 'GET', '/api/v1/billing/plans', z.array(z.unknown()))).toEqual([])
})

describe('Purchase routing', () => {
  test('the same plan extends the term, another one is a 409 while it runs', async () => {
    const account = await openCustomer()
    await pay(account, { plan_id: 1 })
    const before = await showTerm(account.client)
    const id = await pay(account, { plan_id: 1, months: 3 })
    expect(await showOrder(account.client, id)).toMatchObject({ extends_term: true })
    const after = await showTerm(account.client)
    expect(after).toMatchObject({ months_total: 4, months_granted: 1, next_grant_at: before?.period_end })
    const other = { ...CONSENT, plan_id: 2 }
    expect(await refusalOf(account.client, 'POST', '/api/v1/billing/subscribe', other)).toEqual([
      409,
      'another_plan_running',
    ])
  })
})

describe('Payment order states', () => {
  test('waiting, declined: nothing is granted, and the same order is paid by the next attempt', async () => {
    const account = await openCustomer()
    const { order_id, redirect_url } = await openOrder(account.client, { package_id: 1 })
    const { url, text } = await press(page(), redirect_url, { button: 'Decline the card' })
    expect(url.href).toBe(redirect_url)
    expect(text).toContain('The card was declined')
    expect(await showOrder(account.client, order_id)).toMatchObject({ status: 'waiting' })
    expect(await account.client.balance()).toBe(DAILY)
    await press(page(), redirect_url, { button: 'Pay' })
    await settles(account.client, order_id, 'paid')
    expect(await entriesOf(account.client, order_id)).toEqual([['purchase', 100]])
    await waitForLetters(system, account, 1)
  })

  test('waiting, confirming, paid: coins that were seen grant nothing before they are confirmed', async () => {
    const { client } = await openCustomer()
    const item = { package_id: 1, provider: 'sandbox_crypto' }
    const { order_id, redirect_url } = await openOrder(client, item)
    await press(page(), redirect_url, { button: 'Send the coins without confirming them' })
    await settles(client, order_id, 'confirming')
    expect(await client.balance()).toBe(DAILY)
    await press(page(), redirect_url, { button: 'Pay' })
    await settles(client, order_id, 'paid')
    expect(await client.balance()).toBe(DAILY + 100)
  })

  test.each([
    ['sandbox_card', 'Let the checkout expire', 'expired'],
    ['sandbox_crypto', 'Let the checkout expire', 'expired'],
    ['sandbox_crypto', 'Let the payment fail', 'failed'],
  ])('%s: "%s" ends as %s; nothing is granted', async (provider, button, status) => {
    const { client } = await openCustomer()
    const { order_id, redirect_url } = await openOrder(client, { package_id: 1, provider })
    await press(page(), redirect_url, { button })
    await settles(client, order_id, status)
    expect(await showOrder(client, order_id)).toMatchObject({ actually_paid_cents: 0, credited_at: null })
    expect(await client.balance()).toBe(DAILY)
  })

  test.each([
    ['full_grant', 'paid', [['purchase', 100]]],
    ['pro_rata_grant', 'paid', [['purchase', 30]]],
    ['refuse', 'refused', []],
  ])('an underpayment waits as partially_paid; %s makes it %s', async (action, status, entries) => {
    const account = await openCustomer()
    const item = { package_id: 1, provider: 'sandbox_crypto' }
    const { order_id, redirect_url } = await openOrder(account.client, item)
    await press(page(), redirect_url, { button: 'Underpay', received_pct: 30 })
    await settles(account.client, order_id, 'partially_paid')
    expect(await account.client.balance()).toBe(DAILY)
    const path = `/api/v1/billing/admin/payments/${order_id}/resolve`
    const resolved = await call(admin, 'POST', path, z.looseObject({}), { action })
    expect(resolved).toMatchObject({ status, actually_paid_cents: 60 })
    expect(await entriesOf(account.client, order_id)).toEqual(entries)
    await waitForLetters(system, account, entries.length)
    expect(await refusalOf(admin, 'POST', path, { action })).toEqual([409, 'order_not_partially_paid'])
  })

  test('an underpayment whose rest comes is paid by itself, once', async () => {
    const account = await openCustomer()
    const item = { package_id: 1, provider: 'sandbox_crypto' }
    const { order_id, redirect_url } = await openOrder(account.client, item)
    await press(page(), redirect_url, { button: 'Underpay' })
    await settles(account.client, order_id, 'partially_paid')
    await press(page(), redirect_url, { button: 'Pay', callbacks: 'twice' })
    await settles(account.client, order_id, 'paid')
    expect(await entriesOf(account.client, order_id)).toEqual([['purchase', 100]])
    await waitForLetters(system, account, 1)
  })
})

describe('Callbacks of a payment: the order ends right, credits land once, one letter goes out', () => {
  /** An order of a rail, its customer, and what its provider has to tell once it is paid. */
  async function prepare(provider: string, callbacks = 'never') {
    const account = await openCustomer()
    const { order_id } = await openOrder(account.client, { package_id: 1, provider })
    const events = await sandbox.act(order_id, 'pay', callbacks)
    return { account, order_id, events }
  }

  async function expectPaidOnce(account: Account, order_id: string): Promise<void> {
    await settles(account.client, order_id, 'paid')
    expect(await entriesOf(account.client, order_id)).toEqual([['purchase', 100]])
    await waitForLetters(system, account, 1)
  }

  const RAILS = ['sandbox_card', 'sandbox_crypto']

  test.each(RAILS)('%s: each twice', async (provider) => {
    const { account, order_id } = await prepare(provider, 'twice')
    await expectPaidOnce(account, order_id)
    const { events } = await sandbox.show(order_id)
    const answers = async () => (await sandbox.show(order_id)).events.map((event) => event.answers.length)
    await expect
      .poll(answers, { timeout: 15_000 })
      .toEqual(events.map(({ type }) => (type === 'transaction.ready' ? 1 : 2)))
    await expectPaidOnce(account, order_id)
  })

  test.each(RAILS)('%s: the last first, and again', async (provider) => {
    const { account, order_id, events } = await prepare(provider)
    const turned = [...events].reverse()
    const answers = await sandbox.resend(order_id, [...turned, ...events, ...turned])
    expect(new Set(answers)).toEqual(new Set([200]))
    await expectPaidOnce(account, order_id)
  })

  test.each(RAILS)('%s: twenty at once', async (provider) => {
    const { account, order_id, events } = await prepare(provider)
    const many = Array.from({ length: 10 }, () => events).flat()
    const answers = await Promise.all(many.map((event) => sandbox.deliver(event)))
    expect(new Set(answers)).toEqual(new Set([200]))
    await expectPaidOnce(account, order_id)
  })

  test.each(RAILS)('%s: forged, they are a 401 and change nothing', async (provider) => {
    const { account, order_id, events } = await prepare(provider)
    for (const event of events) {
      const changed = { ...event, body: event.body.replace(/\}$/, ',"more":1}') }
      const other = { ...event, headers: { ...event.headers, 'paddle-signature': 'ts=1;h1=0' } }
      const unsigned = { ...event, headers: { 'content-type': 'application/json' } }
      for (const forged of [changed, unsigned, ...(event.kind === 'card' ? [other] : [])]) {
        expect(await sandbox.deliver(forged)).toBe(401)
      }
    }
    expect(await showOrder(account.client, order_id)).toMatchObject({ status: 'waiting' })
    expect(await account.client.balance()).toBe(DAILY)
  })

  test.each(RAILS)('%s: never; the provider is asked', async (provider) => {
    const { account, order_id } = await prepare(provider)
    expect(await showOrder(account.client, order_id)).toMatchObject({ status: 'waiting' })
    await query(system, 'UPDATE orders SET next_poll_at = 1 WHERE id = ?', [order_id])
    await Promise.all([runScheduled(system.api_url), runScheduled(system.api_url)])
    await expectPaidOnce(account, order_id)
  })

  test.each(RAILS)('%s: late, when the order was given up long ago', async (provider) => {
    const account = await openCustomer()
    const { order_id } = await openOrder(account.client, { package_id: 1, provider })
    await passDays(system, account, 8)
    await query(system, 'UPDATE orders SET next_poll_at = 1 WHERE id = ?', [order_id])
    await runScheduled(system.api_url)
    await settles(account.client, order_id, 'expired')
    await sandbox.act(order_id, 'pay')
    await expectPaidOnce(account, order_id)
  })
})
