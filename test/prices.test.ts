import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import type { Account } from './support/accounts.ts'
import {
  call,
  openOrder,
  press,
  query,
  refusalOf,
  showOrder,
  useCustomers,
  waitForEmails,
  waitForOrderStatus,
} from './support/checkout.ts'
import { usePage } from './support/chromium.ts'
import { openSandbox } from './support/payment-sandbox.ts'

const system = inject('system')
const sandbox = openSandbox(system)
const openCustomer = useCustomers(system)

const page = usePage()
const admin = new Client(system.api_url)
/** API paths of the offers that the tests created. */
const listed: string[] = []
beforeAll(async () => {
  await admin.login(system.admin)
})
afterAll(async () => {
  for (const path of listed) await administer('PATCH', path, { retired: true })
})

const Made = z.looseObject({ id: z.int() })
const administer = (method: string, path: string, body: object) =>
  call(admin, method, `/api/v1/admin/${path}`, Made, body)

/** Creates a plan for one test: 300 credits a month for 1,000 cents, with 25% off for three months. */
async function listPlan(changed: object = {}): Promise<number> {
  const slug = `plan-${crypto.randomUUID()}`
  const terms = [{ months: 3, discount_pct: 25 }]
  const plan = { slug, name: 'Test offer', price_cents: 1000, period_credits: 300, terms, ...changed }
  const { id } = await administer('POST', 'plans', plan)
  listed.push(`plans/${id}`)
  return id
}

/** Creates a pack for one test: 100 credits for 1,000 cents. */
async function listPack(changed: object = {}): Promise<number> {
  const pack = { name: 'Test offer', credits: 100, price_cents: 1000, ...changed }
  const { id } = await administer('POST', 'packages', pack)
  listed.push(`packages/${id}`)
  return id
}

const HOUR_MS = 60 * 60 * 1000
const promote = (item_kind: 'plan' | 'package', item_id: number, discount_pct: number) =>
  administer('POST', 'promotions', {
    item_kind,
    item_id,
    discount_pct,
    ends_at: new Date(Date.now() + HOUR_MS).toISOString(),
  })

const Term = z.looseObject({
  months: z.int(),
  undiscounted_cents: z.int(),
  charge_cents: z.int(),
  discount_pct: z.int(),
})
const Offer = z.looseObject({
  id: z.int(),
  charge_cents: z.int(),
  reference_cents: z.int().nullable(),
  currency: z.string(),
  is_popular: z.boolean(),
  terms: z.array(Term).optional(),
})
type Kind = 'plans' | 'packages'
const PriceList = z.object({
  packages: z.array(Offer),
  plans: z.array(Offer),
  tax_included: z.boolean(),
})

const publicPrices = () => call(new Client(system.api_url), 'GET', '/api/v1/public/pricing', PriceList)
const publicPrice = async (kind: Kind, id: number) =>
  (await publicPrices())[kind].find((offer) => offer.id === id)
const ownPrice = async ({ client }: Account, kind: Kind, id: number) =>
  (await call(client, 'GET', `/api/v1/billing/${kind}`, z.array(Offer))).find((offer) => offer.id === id)

async function buy({ client }: Account, item: object): Promise<string> {
  const { order_id } = await openOrder(client, item)
  await sandbox.act(order_id, 'pay')
  await waitForOrderStatus(client, order_id, 'paid')
  return order_id
}

describe('Price rule 1: charge_cents is the amount charged', () => {
  test('for a pack with a promotion, on the checkout page and in the order', async () => {
    const [account, id] = [await openCustomer(), await listPack()]
    await promote('package', id, 20)
    expect(await ownPrice(account, 'packages', id)).toMatchObject({ charge_cents: 800, price_cents: 1000 })
    const { order_id, redirect_url } = await openOrder(account.client, { package_id: id })
    await press(page(), redirect_url, { button: 'Pay' })
    await waitForOrderStatus(account.client, order_id, 'paid')
    const order = await showOrder(account.client, order_id)
    expect(order).toMatchObject({ amount_cents: 800, actually_paid_cents: 800 })
  })

  test('for a plan it is the monthly price with the promotion, and each term has its own', async () => {
    const [account, id] = [await openCustomer(), await listPlan()]
    await promote('plan', id, 20)
    const offer = await ownPrice(account, 'plans', id)
    expect(offer).toMatchObject({ charge_cents: 800, price_cents: 1000 })
    for (const { months, charge_cents } of offer?.terms ?? []) {
      const order = await showOrder(account.client, await buy(account, { plan_id: id, months }))
      expect(order).toMatchObject({ actually_paid_cents: charge_cents, amount_cents: charge_cents })
    }
  })
})

describe('Price rule 2: reference_cents', () => {
  test('is the previous price when the price was reduced, otherwise null', async () => {
    const id = await listPack()
    expect(await publicPrice('packages', id)).toMatchObject({ reference_cents: null })
    await promote('package', id, 20)
    expect(await publicPrice('packages', id)).toMatchObject({ reference_cents: 1000, charge_cents: 800 })
    await administer('PATCH', `packages/${id}`, { price_cents: 2000 })
    expect(await publicPrice('packages', id)).toMatchObject({ reference_cents: null, charge_cents: 1600 })
  })

  test('is never above the locked price of the account', async () => {
    const [account, id] = [await openCustomer(), await listPlan()]
    // A lower price was locked before the reference window began.
    await query(system, 'INSERT INTO price_locks VALUES (?, ?, 700, 300, 1)', [account.id, id])
    await promote('plan', id, 20)
    expect(await publicPrice('plans', id)).toMatchObject({ reference_cents: 1000, charge_cents: 800 })
    expect(await ownPrice(account, 'plans', id)).toMatchObject({ reference_cents: 700, charge_cents: 560 })
  })

  test('is absent on terms, bundles and orders', async () => {
    const [account, plan_id, package_id] = [await openCustomer(), await listPlan(), await listPack()]
    await promote('plan', plan_id, 20)
    const [term] = (await publicPrice('plans', plan_id))?.terms ?? []
    const path = `/api/v1/billing/bundle-quote?plan_id=${plan_id}&package_id=${package_id}&months=1`
    const bundle = await call(account.client, 'GET', path, z.looseObject({ total_cents: z.int() }))
    const order = await showOrder(account.client, await buy(account, { plan_id, package_id }))
    for (const row of [term, bundle, order]) expect(Object.keys(row ?? {})).not.toContain('reference_cents')
    expect(order).toMatchObject({ amount_cents: bundle.total_cents, actually_paid_cents: bundle.total_cents })
  })
})

test('Price rule 3: a badge is one of the defined keys or absent', async () => {
  const [plain, badged] = [await listPack(), await listPack({ badge: 'limited' })]
  expect(await publicPrice('packages', badged)).toMatchObject({ badge: 'limited' })
  expect(await publicPrice('packages', plain)).not.toHaveProperty('badge')
  const refusal = await admin.send('PATCH', `/api/v1/admin/packages/${plain}`, { badge: 'cheap' })
  expect(refusal.status).toBe(422)
})

test('Price rule 4: is_popular is computed from paid orders and cannot be set', async () => {
  const [account, id] = [await openCustomer(), await listPack()]
  const set = await admin.send('PATCH', `/api/v1/admin/packages/${id}`, { is_popular: true })
  expect(set.status).toBe(422)
  await openOrder(account.client, { package_id: id })
  await buy(account, { package_id: id })
  const [most] = await query(
    system,
    `SELECT package_id FROM orders
     WHERE status IN ('paid', 'partially_refunded') AND credited_at > ?
       AND package_id IN (SELECT id FROM packages WHERE retired_at IS NULL)
     GROUP BY package_id ORDER BY count(*) DESC, max(credited_at) DESC LIMIT 1`,
    [Date.now() - 30 * 24 * HOUR_MS],
  )
  const popular = (await publicPrices()).packages.filter(({ is_popular }) => is_popular)
  expect(popular.map((pack) => pack.id)).toEqual([most?.package_id])
})

test('Price rule 5: discounts multiply, so 20% and 25% give 40%', async () => {
  const [account, id] = [await openCustomer(), await listPlan()]
  await promote('plan', id, 20)
  const { terms = [] } = (await ownPrice(account, 'plans', id)) ?? {}
  expect(terms.map(({ months, discount_pct, charge_cents }) => [months, discount_pct, charge_cents])).toEqual(
    [
      [1, 20, 800],
      [3, 40, 1800],
    ],
  )
})

test("Price rule 6: undiscounted_cents is the account's monthly price times the months of the term", async () => {
  const [account, id] = [await openCustomer(), await listPlan()]
  await buy(account, { plan_id: id })
  await administer('PATCH', `plans/${id}`, { price_cents: 2000 })
  const undiscounted = (terms: z.infer<typeof Term>[] = []) =>
    terms.map(({ undiscounted_cents }) => undiscounted_cents)
  expect(undiscounted((await ownPrice(account, 'plans', id))?.terms)).toEqual([1000, 3000])
  expect(undiscounted((await publicPrice('plans', id))?.terms)).toEqual([2000, 6000])
})

test('Price rule 7: prices exclude tax, which the checkout adds', async () => {
  expect(await publicPrices()).toMatchObject({ tax_included: false })
  const account = await openCustomer()
  const { order_id, redirect_url } = await openOrder(account.client, { package_id: await listPack() })
  await page().goto(redirect_url)
  const text = await page().textContent('dl')
  expect(text?.replaceAll(/\s+/g, ' ')).toMatch(/Price\$10\.00 Tax .*\$2\.00 Total\$12\.00/)
  await sandbox.act(order_id, 'pay')
  await waitForOrderStatus(account.client, order_id, 'paid')
  expect(await showOrder(account.client, order_id)).toMatchObject({ actually_paid_cents: 1000 })
})

test('Price rule 8: prices, orders and emails are in USD, also for crypto payments', async () => {
  const [account, id] = [await openCustomer(), await listPack()]
  expect(await publicPrice('packages', id)).toMatchObject({ currency: 'USD' })
  const order = await buy(account, { package_id: id, provider: 'sandbox_crypto' })
  expect(await showOrder(account.client, order)).toMatchObject({ currency: 'USD', actually_paid_cents: 1000 })
  const [email] = await waitForEmails(system, account, 1)
  expect(email?.text.replaceAll(/\s+/g, ' ')).toContain('USD 10.00')
})

test('Price-lock rule: the first price paid is kept while the list price is higher, and dropped when it falls below', async () => {
  const [account, id] = [await openCustomer(), await listPlan()]
  await promote('plan', id, 20)
  await buy(account, { plan_id: id })
  await administer('PATCH', `plans/${id}`, { price_cents: 2000, period_credits: 200 })
  expect(await ownPrice(account, 'plans', id)).toMatchObject({
    is_locked_price: true,
    price_cents: 1000,
    list_price_cents: 2000,
    charge_cents: 800,
    period_credits: 300,
  })
  const order = await showOrder(account.client, await buy(account, { plan_id: id }))
  expect(order).toMatchObject({ actually_paid_cents: 800, credits: 300 })
  await administer('PATCH', `plans/${id}`, { price_cents: 600, period_credits: 500 })
  expect(await ownPrice(account, 'plans', id)).toMatchObject({
    is_locked_price: false,
    price_cents: 600,
    charge_cents: 480,
    period_credits: 500,
  })
  expect(await refusalOf(account.client, 'GET', '/api/v1/admin/plans')).toEqual([
    403,
    'administrator_required',
  ])
})
