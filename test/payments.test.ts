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
  showOrder,
  showTerm,
  useCustomers,
  waitForEmails,
  waitForOrderStatus,
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

/** Opens an order and pays for it on the checkout page. */
async function pay(account: Account, item: object, callbacks: 'once' | 'twice' = 'once'): Promise<string> {
  const { order_id, redirect_url } = await openOrder(account.client, item)
  const { url } = await press(page(), redirect_url, { button: 'Pay', callbacks })
  expect([url.origin, url.pathname]).toEqual([system.api_url, '/billing/return'])
  expect(url.searchParams.get('order_id')).toBe(order_id)
  await waitForOrderStatus(account.client, order_id, 'paid')
  return order_id
}

/** Changes settings while `work` runs. The running system applies them within five seconds. */
async function withSettings(settings: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  const change = (values: Record<string, unknown>) =>
    call(admin, 'PATCH', '/api/v1/admin/settings', z.unknown(), values)
  await change(settings)
  try {
    await work()
  } finally {
    await change(Object.fromEntries(Object.keys(settings).map((name) => [name, null])))
  }
}

/** Waits until a checkout responds with this status, because settings take up to five seconds to apply. */
async function waitForCheckoutStatus(client: Client, status: number, item: object = { package_id: 1 }) {
  const ask = () => client.send('POST', '/api/v1/billing/checkout', { ...CONSENT, ...item })
  await expect.poll(async () => (await ask()).status).toBe(status)
}

describe('Purchase rule 1: a payment on the hosted page grants credits once and sends one email', () => {
  test.each([
    ['by card', 'sandbox_card'],
    ['by crypto', 'sandbox_crypto'],
  ])('a pack paid %s', async (_by, provider) => {
    const account = await openCustomer()
    const opened = await openOrder(account.client, { package_id: 1, provider })
    expect(opened).toMatchObject({ status: 'waiting', provider, balance: DAILY })
    expect(await account.client.balance()).toBe(DAILY)
    await press(page(), opened.redirect_url, { button: 'Pay' })
    await waitForOrderStatus(account.client, opened.order_id, 'paid')
    expect(await entriesOf(account.client, opened.order_id)).toEqual([['purchase', 100]])
    expect(await account.client.balance()).toBe(DAILY + 100)
    expect(await showOrder(account.client, opened.order_id)).toMatchObject({
      kind: 'package',
      amount_cents: 200,
      actually_paid_cents: 200,
    })
    const [email] = await waitForEmails(system, account, 1)
    expect(email?.subject).toBe(`Your order ${opened.order_id} is paid`)
  })

  test.each([
    [1, 500],
    [12, 4800],
  ])(
    'a plan for %i months by card grants the first month now and the others when they begin',
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
      const [email] = await waitForEmails(system, account, 1)
      expect(email?.subject).toBe(`Ваш заказ ${id} оплачен`)
    },
  )
})

describe('Purchase rule 2: months and payment providers', () => {
  test('months that are not offered and an unknown provider get a 400 and open no order', async () => {
    const { client } = await openCustomer()
    const ask = (item: object) =>
      refusalOf(client, 'POST', '/api/v1/billing/subscribe', { ...CONSENT, ...item })
    expect(await ask({ plan_id: 1, months: 2 })).toEqual([400, 'months_not_offered'])
    expect(await ask({ plan_id: 1, provider: 'cheque' })).toEqual([400, 'payment_provider_closed'])
    expect(await listOrders(client)).toEqual([])
  })

  test('an open order can be paid after its provider is closed to new orders', async () => {
    const { client } = await openCustomer()
    const { order_id } = await openOrder(client, { package_id: 1 })
    const item = { package_id: 1, provider: 'sandbox_card' }
    await withSettings({ payment_providers_closed: ['sandbox_card'] }, async () => {
      await waitForCheckoutStatus(client, 400, item)
      await sandbox.act(order_id, 'pay')
      await waitForOrderStatus(client, order_id, 'paid')
    })
    await waitForCheckoutStatus(client, 200, item)
    expect(await client.balance()).toBe(DAILY + 100)
  })
})

test('Purchase rule 3: an order requires both consents', async () => {
  const { client } = await openCustomer()
  for (const name of Object.keys(CONSENT)) {
    const body = { package_id: 1, ...CONSENT, [name]: false }
    const refusal = await refusalOf(client, 'POST', '/api/v1/billing/checkout', body)
    expect(refusal).toEqual([400, 'consent_required'])
  }
  expect(await listOrders(client)).toEqual([])
})

test('Purchase rule 4: a bundle is one order with one charge, and both parts are granted together once', async () => {
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
  const [email] = await waitForEmails(system, account, 1)
  expect(email?.subject).toBe(`Ваше замовлення ${id} оплачено`)
  expect(email?.text).toContain('Starter')
})

test('Purchase rule 5: where packs need a plan, a pack without a running plan gets a 409 subscription_required', async () => {
  const [without, subscriber] = [await openCustomer(), await openCustomer()]
  await pay(subscriber, { plan_id: 1 })
  await withSettings({ packs_require_subscription: true }, async () => {
    await waitForCheckoutStatus(without.client, 409)
    const body = { ...CONSENT, package_id: 1 }
    const refusal = await refusalOf(without.client, 'POST', '/api/v1/billing/checkout', body)
    expect(refusal).toEqual([409, 'subscription_required'])
    expect(await listOrders(without.client)).toEqual([])
    await waitForCheckoutStatus(subscriber.client, 200)
  })
  await waitForCheckoutStatus(without.client, 200)
})

test('Purchase rule 6: an account with payments disabled gets a 403', async () => {
  const { client, id } = await openCustomer()
  await call(admin, 'PATCH', `/api/v1/admin/accounts/${id}`, z.unknown(), { payments_enabled: false })
  await waitForCheckoutStatus(client, 403)
  const refusal = await refusalOf(client, 'POST', '/api/v1/billing/checkout', { ...CONSENT, package_id: 1 })
  expect(refusal).toEqual([403, 'payments_not_enabled'])
  expect(await call(client, 'GET', '/api/v1/billing/plans', z.array(z.unknown()))).toEqual([])
})

describe('Purchase routing', () => {
  test('buying the same plan extends the term, and another plan gets a 409 while it runs', async () => {
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
  test('a declined card grants nothing, and the next attempt pays the same order', async () => {
    const account = await openCustomer()
    const { order_id, redirect_url } = await openOrder(account.client, { package_id: 1 })
    const { url, text } = await press(page(), redirect_url, { button: 'Decline the card' })
    expect(url.href).toBe(redirect_url)
    expect(text).toContain('The card was declined')
    expect(await showOrder(account.client, order_id)).toMatchObject({ status: 'waiting' })
    expect(await account.client.balance()).toBe(DAILY)
    await press(page(), redirect_url, { button: 'Pay' })
    await waitForOrderStatus(account.client, order_id, 'paid')
    expect(await entriesOf(account.client, order_id)).toEqual([['purchase', 100]])
    await waitForEmails(system, account, 1)
  })

  test('received coins grant nothing until they are confirmed', async () => {
    const { client } = await openCustomer()
    const item = { package_id: 1, provider: 'sandbox_crypto' }
    const { order_id, redirect_url } = await openOrder(client, item)
    await press(page(), redirect_url, { button: 'Send the coins without confirming them' })
    await waitForOrderStatus(client, order_id, 'confirming')
    expect(await client.balance()).toBe(DAILY)
    await press(page(), redirect_url, { button: 'Pay' })
    await waitForOrderStatus(client, order_id, 'paid')
    expect(await client.balance()).toBe(DAILY + 100)
  })

  test.each([
    ['sandbox_card', 'Let the checkout expire', 'expired'],
    ['sandbox_crypto', 'Let the checkout expire', 'expired'],
    ['sandbox_crypto', 'Let the payment fail', 'failed'],
  ])('%s: "%s" makes the order %s without a grant', async (provider, button, status) => {
    const { client } = await openCustomer()
    const { order_id, redirect_url } = await openOrder(client, { package_id: 1, provider })
    await press(page(), redirect_url, { button })
    await waitForOrderStatus(client, order_id, status)
    expect(await showOrder(client, order_id)).toMatchObject({ actually_paid_cents: 0, credited_at: null })
    expect(await client.balance()).toBe(DAILY)
  })

  test.each([
    ['full_grant', 'paid', [['purchase', 100]]],
    ['pro_rata_grant', 'paid', [['purchase', 30]]],
    ['refuse', 'refused', []],
  ])('%s changes an underpaid order from partially_paid to %s', async (action, status, entries) => {
    const account = await openCustomer()
    const item = { package_id: 1, provider: 'sandbox_crypto' }
    const { order_id, redirect_url } = await openOrder(account.client, item)
    await press(page(), redirect_url, { button: 'Underpay', received_pct: 30 })
    await waitForOrderStatus(account.client, order_id, 'partially_paid')
    expect(await account.client.balance()).toBe(DAILY)
    const path = `/api/v1/billing/admin/payments/${order_id}/resolve`
    const resolved = await call(admin, 'POST', path, z.looseObject({}), { action })
    expect(resolved).toMatchObject({ status, actually_paid_cents: 60 })
    expect(await entriesOf(account.client, order_id)).toEqual(entries)
    const [arrival, outcome] = await waitForEmails(system, account, 2)
    expect(arrival?.subject).toContain('incomplete')
    expect(outcome?.subject).toContain(status === 'paid' ? 'paid' : 'closed')
    expect(await refusalOf(admin, 'POST', path, { action })).toEqual([409, 'order_not_partially_paid'])
  })

  test('an underpaid order is paid once when the rest arrives', async () => {
    const account = await openCustomer()
    const item = { package_id: 1, provider: 'sandbox_crypto' }
    const { order_id, redirect_url } = await openOrder(account.client, item)
    await press(page(), redirect_url, { button: 'Underpay' })
    await waitForOrderStatus(account.client, order_id, 'partially_paid')
    await press(page(), redirect_url, { button: 'Pay', callbacks: 'twice' })
    await waitForOrderStatus(account.client, order_id, 'paid')
    expect(await entriesOf(account.client, order_id)).toEqual([['purchase', 100]])
    await waitForEmails(system, account, 2)
  })
})

describe('Payment events: the order is paid, credits are granted and one email is sent, each once', () => {
  /**
   * Opens an order and pays for it.
   * @returns the customer, the order, and the provider's events
   */
  async function prepare(provider: string, callbacks = 'never') {
    const account = await openCustomer()
    const { order_id } = await openOrder(account.client, { package_id: 1, provider })
    const events = await sandbox.act(order_id, 'pay', callbacks)
    return { account, order_id, events }
  }

  async function expectPaidOnce(account: Account, order_id: string): Promise<void> {
    await waitForOrderStatus(account.client, order_id, 'paid')
    expect(await entriesOf(account.client, order_id)).toEqual([['purchase', 100]])
    await waitForEmails(system, account, 1)
  }

  const PROVIDERS = ['sandbox_card', 'sandbox_crypto']

  test.each(PROVIDERS)('%s: each event is sent twice', async (provider) => {
    const { account, order_id } = await prepare(provider, 'twice')
    await expectPaidOnce(account, order_id)
    const { events } = await sandbox.show(order_id)
    const answers = async () => (await sandbox.show(order_id)).events.map((event) => event.answers.length)
    await expect.poll(answers).toEqual(events.map(({ type }) => (type === 'transaction.ready' ? 1 : 2)))
    await expectPaidOnce(account, order_id)
  })

  test.each(PROVIDERS)(
    '%s: events arrive in reverse order and repeatedly',
    { tags: ['extended'] },
    async (provider) => {
      const { account, order_id, events } = await prepare(provider)
      const reversed = [...events].reverse()
      const answers = await sandbox.resend(order_id, [...reversed, ...events, ...reversed])
      expect(new Set(answers)).toEqual(new Set([200]))
      await expectPaidOnce(account, order_id)
    },
  )

  test.each(PROVIDERS)(
    '%s: events are sent ten times concurrently',
    { tags: ['extended'] },
    async (provider) => {
      const { account, order_id, events } = await prepare(provider)
      const many = Array.from({ length: 10 }, () => events).flat()
      const answers = await Promise.all(many.map((event) => sandbox.deliver(event)))
      expect(new Set(answers)).toEqual(new Set([200]))
      await expectPaidOnce(account, order_id)
    },
  )

  test.each(PROVIDERS)('%s: forged events get a 401 and change nothing', async (provider) => {
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

  test.each(PROVIDERS)(
    '%s: no event arrives, and polling the provider finds the payment',
    async (provider) => {
      const { account, order_id } = await prepare(provider)
      expect(await showOrder(account.client, order_id)).toMatchObject({ status: 'waiting' })
      await query(system, 'UPDATE orders SET next_poll_at = 1 WHERE id = ?', [order_id])
      await Promise.all([runScheduled(system.api_url), runScheduled(system.api_url)])
      await expectPaidOnce(account, order_id)
    },
  )

  test.each(PROVIDERS)('%s: events arrive after the order has expired', async (provider) => {
    const account = await openCustomer()
    const { order_id } = await openOrder(account.client, { package_id: 1, provider })
    await passDays(system, account, 8)
    await query(system, 'UPDATE orders SET next_poll_at = 1 WHERE id = ?', [order_id])
    await runScheduled(system.api_url)
    await waitForOrderStatus(account.client, order_id, 'expired')
    await sandbox.act(order_id, 'pay')
    await expectPaidOnce(account, order_id)
  })
})
