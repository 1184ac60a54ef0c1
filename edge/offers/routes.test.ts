import { describe, expect, test } from 'vitest'
import { found, makeTestContext, type TestContext, timeOf } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import {
  DAY_MS,
  listPackage,
  listPlan,
  ownPrice,
  placeOrders,
  publicPrice,
  registerAdministrator,
} from '../../test/edge/worker/shop.ts'
import { priceLocks } from '../tables.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

async function lockPrice({ id }: Person, planId: number, monthlyRateCents: number, creditsPerMonth = 1000) {
  await deps.db
    .insert(priceLocks)
    .values({ accountId: id, planId, monthlyRateCents, creditsPerMonth, lockedAt: Date.now() })
}

function quoteBundle(person: Person, query: string, where: TestContext = testContext) {
  return where.call('GET', `/api/v1/billing/bundle-quote?${query}`, { token: person.token })
}

const NOTHING_BEFORE = { from: -1, until: 5 }

describe('Price rule 1: charge_cents is the amount charged', () => {
  test('for a plan it is the monthly price with its promotion, immediately and until the promotion ends', async () => {
    const { id } = await listPlan(testContext, { promotion: { ...NOTHING_BEFORE, discount_pct: 20 } })
    const plan = await publicPrice(testContext, 'plans', id)
    expect(plan).toMatchObject({ price_cents: 1000, list_price_cents: 1000, charge_cents: 800 })
    expect(Math.abs(timeOf(plan?.promo_ends_at) - Date.now() - 5 * DAY_MS)).toBeLessThan(60_000)
    expect(plan?.terms[0]).toMatchObject({ months: 1, charge_cents: 800, undiscounted_cents: 1000 })
  })

  test('for a pack it is the price with its promotion', async () => {
    const { id } = await listPackage(testContext, { promotion: { ...NOTHING_BEFORE, discount_pct: 25 } })
    expect(await publicPrice(testContext, 'packages', id)).toMatchObject({
      price_cents: 1000,
      charge_cents: 750,
    })
  })

  test.each([
    ['has ended', { from: -5, until: -1 }],
    ['has not started', { from: 1, until: 5 }],
  ])('a promotion that %s does not count', async (_what, span) => {
    const { id } = await listPlan(testContext, { promotion: { ...span, discount_pct: 20 } })
    const plan = await publicPrice(testContext, 'plans', id)
    expect(plan).toMatchObject({ charge_cents: 1000, promo_ends_at: null, reference_cents: null })
  })
})

describe('Price rule 2: reference_cents', () => {
  test('is the lowest price charged in the previous 30 days', async () => {
    const { id } = await listPlan(testContext, {
      price_cents: 1300,
      history: [
        [90, 1000],
        [20, 1300],
      ],
      promotion: { ...NOTHING_BEFORE, discount_pct: 30 },
    })
    expect(await publicPrice(testContext, 'plans', id)).toMatchObject({
      charge_cents: 910,
      reference_cents: 1000,
    })
  })

  test('is null when the list price itself fell: the charge is the undiscounted rate', async () => {
    const listing = {
      price_cents: 900,
      history: [
        [90, 1000],
        [2, 900],
      ] as [number, number][],
    }
    const [plan, pack] = [await listPlan(testContext, listing), await listPackage(testContext, listing)]
    expect((await publicPrice(testContext, 'plans', plan.id))?.reference_cents).toBeNull()
    expect((await publicPrice(testContext, 'packages', pack.id))?.reference_cents).toBeNull()
  })

  test("never exceeds the account's own undiscounted rate", async () => {
    const person = await register(testContext)
    const { id } = await listPlan(testContext, {
      price_cents: 1500,
      history: [[90, 1500]],
      promotion: { ...NOTHING_BEFORE, discount_pct: 20 },
    })
    await lockPrice(person, id, 1000)
    expect(await ownPrice(testContext, person, 'plans', id)).toMatchObject({
      charge_cents: 800,
      reference_cents: 1000,
    })
    expect(await publicPrice(testContext, 'plans', id)).toMatchObject({
      charge_cents: 1200,
      reference_cents: 1500,
    })
  })

  test.each([
    ['without a price history', { price_cents: 1000 }],
    [
      'when the price rose',
      {
        price_cents: 1000,
        history: [
          [9, 900],
          [1, 1000],
        ] as [number, number][],
      },
    ],
    [
      'when the price was as low in the previous 30 days',
      {
        price_cents: 900,
        history: [
          [40, 900],
          [20, 1000],
          [2, 900],
        ] as [number, number][],
      },
    ],
    [
      'once the reduction is 30 days old',
      {
        price_cents: 900,
        history: [
          [90, 1000],
          [31, 900],
        ] as [number, number][],
      },
    ],
  ])('is null %s', async (_when, listing) => {
    const { id } = await listPlan(testContext, listing)
    expect((await publicPrice(testContext, 'plans', id))?.reference_cents).toBeNull()
  })

  test('is absent from terms and both parts of a bundle, which have their own reference', async () => {
    const [plan, pack, person] = [
      await listPlan(testContext),
      await listPackage(testContext),
      await register(testContext),
    ]
    const { terms } = found(await publicPrice(testContext, 'plans', plan.id))
    for (const term of terms) expect(term).not.toHaveProperty('reference_cents')
    const { json } = await quoteBundle(person, `plan_id=${plan.id}&package_id=${pack.id}`)
    expect(JSON.stringify(json)).not.toContain('reference_cents')
  })

  test('follows changes by an administrator', async () => {
    const { token } = await registerAdministrator(testContext)
    const promotion = { ...NOTHING_BEFORE, discount_pct: 20 }
    const { id } = await listPackage(testContext, { price_cents: 1000, history: [[60, 1000]], promotion })
    expect(await publicPrice(testContext, 'packages', id)).toMatchObject({
      charge_cents: 800,
      reference_cents: 1000,
    })
    const changed = await call('PATCH', `/api/v1/admin/packages/${id}`, {
      token,
      body: { price_cents: 2000 },
    })
    expect(changed.status, changed.text).toBe(200)
    expect(await publicPrice(testContext, 'packages', id)).toMatchObject({
      charge_cents: 1600,
      reference_cents: null,
    })
  })
})

describe('Price rule 3: badge', () => {
  test.each(['recommended', 'new', 'limited'])('can be %s', async (badge) => {
    const { token } = await registerAdministrator(testContext)
    const { id } = await listPlan(testContext)
    await call('PATCH', `/api/v1/admin/plans/${id}`, { token, body: { badge } })
    expect((await publicPrice(testContext, 'plans', id))?.badge).toBe(badge)
    await call('PATCH', `/api/v1/admin/plans/${id}`, { token, body: { badge: null } })
    expect(await publicPrice(testContext, 'plans', id)).not.toHaveProperty('badge')
  })
})

describe('Price rule 4: is_popular', () => {
  test('is the plan and the pack with the most paid orders in the window', async () => {
    const person = await register(testContext)
    const [plan, pack] = [await listPlan(testContext), await listPackage(testContext)]
    await placeOrders(testContext, person, 300, { planId: plan.id })
    await placeOrders(testContext, person, 300, { packageId: pack.id })
    const { plans, packages } = (await call('GET', '/api/v1/public/pricing')).json
    const popular = (list: { id: number; is_popular: boolean }[]) => list.filter((item) => item.is_popular)
    expect(popular(plans).map(({ id }) => id)).toEqual([plan.id])
    expect(popular(packages).map(({ id }) => id)).toEqual([pack.id])
  })

  test.each([
    ['was not paid', { status: 'waiting' as const, creditedAt: null }],
    ['was fully refunded', { status: 'refunded' as const }],
    ['is older than the window', { days_ago: 31 }],
  ])('does not count an order that %s', async (_what, order) => {
    const person = await register(testContext)
    const { id } = await listPlan(testContext)
    await placeOrders(testContext, person, 400, { planId: id, ...order })
    expect((await publicPrice(testContext, 'plans', id))?.is_popular).toBe(false)
  })

  test('cannot be set', async () => {
    const { token } = await registerAdministrator(testContext)
    const { id } = await listPlan(testContext)
    const answer = await call('PATCH', `/api/v1/admin/plans/${id}`, { token, body: { is_popular: true } })
    expect(answer.status).toBe(422)
  })
})

test('Price rule 5: discounts compose multiplicatively', async () => {
  const { id } = await listPlan(testContext, {
    terms: [[12, 25]],
    promotion: { ...NOTHING_BEFORE, discount_pct: 20 },
  })
  const { terms } = found(await publicPrice(testContext, 'plans', id))
  expect(terms).toEqual([
    expect.objectContaining({ months: 1, charge_cents: 800, discount_pct: 20 }),
    expect.objectContaining({ months: 12, charge_cents: 7200, discount_pct: 40 }),
  ])
})

test('Price rule 6: a term is compared with its own monthly rate times its months', async () => {
  const person = await register(testContext)
  const { id } = await listPlan(testContext, { price_cents: 1500, terms: [[12, 25]] })
  await lockPrice(person, id, 1000, 1200)
  const { terms } = found(await ownPrice(testContext, person, 'plans', id))
  expect(terms[1]).toEqual({
    months: 12,
    credits_per_month: 1200,
    credits_total: 14_400,
    monthly_price_cents: 1000,
    undiscounted_cents: 12_000,
    charge_cents: 9000,
    discount_pct: 25,
    currency: 'USD',
  })
})

test('Price rule 7: the public list states whether tax is included; prices exclude tax by default', async () => {
  expect((await call('GET', '/api/v1/public/pricing')).json.tax_included).toBe(false)
  const taxed = await makeLimitedContext({ tax_included: true })
  const headers = { 'cf-connecting-ip': freshAddress() }
  expect((await taxed.call('GET', '/api/v1/public/pricing', { headers })).json.tax_included).toBe(true)
})

test('Price rule 8: prices are quoted in USD', async () => {
  const { plans, packages } = (await call('GET', '/api/v1/public/pricing')).json
  for (const item of [...plans, ...packages]) expect(item.currency).toBe('USD')
})

describe('Price-lock rule', () => {
  test.each([
    ['rose: the account keeps its price', 1500, 1000, { price_cents: 1000, is_locked_price: true }],
    ['fell: the account gets the lower price', 800, 1000, { price_cents: 800, is_locked_price: false }],
    ['is unchanged', 1000, 1000, { price_cents: 1000, is_locked_price: false }],
  ])('the list price %s', async (_what, list_price_cents, locked, expected) => {
    const person = await register(testContext)
    const { id } = await listPlan(testContext, { price_cents: list_price_cents })
    await lockPrice(person, id, locked)
    const offer = await ownPrice(testContext, person, 'plans', id)
    expect(offer).toMatchObject({ list_price_cents, charge_cents: expected.price_cents, ...expected })
  })

  test('an account keeps its higher allowance as well', async () => {
    const person = await register(testContext)
    const { id } = await listPlan(testContext)
    await lockPrice(person, id, 1000, 1600)
    expect(await ownPrice(testContext, person, 'plans', id)).toMatchObject({ period_credits: 1600 })
  })

  test('a locked price applies only to its account; others see the list price', async () => {
    const [person, other] = [await register(testContext), await register(testContext)]
    const { id } = await listPlan(testContext, { price_cents: 1500 })
    await lockPrice(person, id, 1000)
    const shown = { price_cents: 1500, is_locked_price: false }
    expect(await ownPrice(testContext, other, 'plans', id)).toMatchObject(shown)
    expect(await publicPrice(testContext, 'plans', id)).toMatchObject(shown)
  })
})

describe('Bundle quote', () => {
  test('is the price of the term and of the pack in the bundle', async () => {
    const person = await register(testContext)
    const plan = await listPlan(testContext, { terms: [[12, 25]] })
    const pack = await listPackage(testContext, { promotion: { ...NOTHING_BEFORE, discount_pct: 25 } })
    const { json } = await quoteBundle(person, `plan_id=${plan.id}&package_id=${pack.id}&months=12`)
    const { terms } = found(await ownPrice(testContext, person, 'plans', plan.id))
    expect(json).toEqual({
      plan_id: plan.id,
      package_id: pack.id,
      months: 12,
      term: terms[1],
      pack_credits: 500,
      pack_list_cents: 1000,
      pack_charge_cents: 675,
      pack_discount_pct: 32,
      total_cents: 9675,
      currency: 'USD',
    })
    const offer = await ownPrice(testContext, person, 'packages', pack.id)
    expect(offer).toMatchObject({ charge_cents: 750, bundle_charge_cents: 675 })
  })

  test('without the bundle discount contains the pack at its own price', async () => {
    const limited = await makeLimitedContext({ bundle_pack_discount_pct: 0 })
    const person = await register(limited)
    const [plan, pack] = [await listPlan(limited), await listPackage(limited)]
    const { json } = await quoteBundle(person, `plan_id=${plan.id}&package_id=${pack.id}`, limited)
    expect(json).toMatchObject({
      months: 1,
      pack_charge_cents: 1000,
      pack_discount_pct: 0,
      total_cents: 2000,
    })
  })

  test('refuses unknown months, unknown items and retired ones', async () => {
    const person = await register(testContext)
    const { token } = await registerAdministrator(testContext)
    const [plan, pack, retired] = [
      await listPlan(testContext),
      await listPackage(testContext),
      await listPackage(testContext),
    ]
    await call('PATCH', `/api/v1/admin/packages/${retired.id}`, { token, body: { retired: true } })
    const statusOf = async (query: string) => (await quoteBundle(person, query)).status
    expect(await statusOf(`plan_id=${plan.id}&package_id=${pack.id}&months=2`)).toBe(400)
    expect(await statusOf(`plan_id=999999999&package_id=${pack.id}`)).toBe(404)
    expect(await statusOf(`plan_id=${plan.id}&package_id=999999999`)).toBe(404)
    expect(await statusOf(`plan_id=${plan.id}&package_id=${retired.id}`)).toBe(404)
    for (const months of ['0', '-3', '1.5', '1e18', '1000000000000000000']) {
      expect(await statusOf(`plan_id=${plan.id}&package_id=${pack.id}&months=${months}`)).toBe(400)
    }
    for (const months of ['x', '0x1', '01', '']) {
      expect(await statusOf(`plan_id=${plan.id}&package_id=${pack.id}&months=${months}`)).toBe(422)
    }
    expect(await statusOf(`plan_id=${plan.id}`)).toBe(422)
  })
})
