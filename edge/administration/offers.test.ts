import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import type { Person } from '../../test/edge/worker/people.ts'
import {
  DAY_MS,
  listPackage,
  listPlan,
  ownPrice,
  publicPrice,
  registerAdministrator,
} from '../../test/edge/worker/shop.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const PACKAGES = '/api/v1/admin/packages'
const PLANS = '/api/v1/admin/plans'
const PROMOTIONS = '/api/v1/admin/promotions'

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})

const post = <Address extends string>(path: Address, body: object) =>
  call('POST', path, { token: admin.token, body })
const patch = <Address extends string>(path: Address, body: object) =>
  call('PATCH', path, { token: admin.token, body })
const get = async <Address extends string>(path: Address) =>
  (await call('GET', path, { token: admin.token })).json
const auditOf = (target: string) => get(`/api/v1/admin/audit?target=${target}`)

async function listedPrices(kind: string, id: number): Promise<number[]> {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT price_cents FROM list_prices WHERE item_kind = ? AND item_id = ? ORDER BY "from"',
    args: [kind, id],
  })
  return rows.map(({ price_cents }) => Number(price_cents))
}

const newPlan = () => ({
  slug: `made-${crypto.randomUUID()}`,
  name: 'Made',
  price_cents: 2000,
  period_credits: 3000,
})

describe('packs', () => {
  test('are created, changed and retired, and every price is kept', async () => {
    const created = await post(PACKAGES, { name: 'Made', credits: 50, price_cents: 100, badge: 'new' })
    expect(created.status, created.text).toBe(201)
    const { id } = created.json
    expect(created.json).toEqual({
      id,
      name: 'Made',
      credits: 50,
      price_cents: 100,
      currency: 'USD',
      badge: 'new',
      retired_at: null,
    })
    expect(await publicPrice(testContext, 'packages', id)).toMatchObject({ credits: 50, badge: 'new' })
    await patch(`${PACKAGES}/${id}`, { name: 'Made over' })
    await patch(`${PACKAGES}/${id}`, { price_cents: 90, badge: null })
    expect(await listedPrices('package', id)).toEqual([100, 90])
    const retired = await patch(`${PACKAGES}/${id}`, { retired: true })
    expect(retired.json.retired_at).toEqual(expect.any(String))
    expect(await publicPrice(testContext, 'packages', id)).toBeUndefined()
    expect(await ownPrice(testContext, admin, 'packages', id)).toBeUndefined()
    expect((await get(PACKAGES)).some((pack: { id: number }) => pack.id === id)).toBe(true)
    const trail = await auditOf(`package:${id}`)
    expect(trail.map(({ action }: { action: string }) => action)).toEqual([
      'package.change',
      'package.change',
      'package.change',
      'package.create',
    ])
    expect(trail[1]).toMatchObject({ before: { price_cents: 100 }, after: { price_cents: 90 } })
    expect(trail[3]).toMatchObject({ before: null, after: created.json })
  })

  test('stay retired', async () => {
    const { id } = await listPackage(testContext)
    const first = (await patch(`${PACKAGES}/${id}`, { retired: true })).json.retired_at
    expect((await patch(`${PACKAGES}/${id}`, { retired: true })).json.retired_at).toBe(first)
    expect((await patch(`${PACKAGES}/${id}`, { retired: false })).status).toBe(422)
  })

  test.each([
    [{ price_cents: 0 }, 'price_cents'],
    [{ credits: 1.5 }, 'credits'],
    [{ name: ' ' }, 'name'],
    [{ name: 'two\r\nlines' }, 'name'],
    [{ badge: 'best' }, 'badge'],
  ])('%j is refused', async (body, field) => {
    const { id } = await listPackage(testContext)
    const { status, faults } = await patch(`${PACKAGES}/${id}`, body)
    expect([status, faults[0]?.loc]).toEqual([422, ['body', field]])
  })

  test('an unknown pack is not found', async () => {
    expect((await patch(`${PACKAGES}/999999999`, { name: 'x' })).status).toBe(404)
  })
})

describe('plans', () => {
  test('are created with their terms, and always with a one-month term', async () => {
    const created = await post(PLANS, { ...newPlan(), terms: [{ months: 6, discount_pct: 10 }] })
    expect(created.status, created.text).toBe(201)
    const { id } = created.json
    expect(created.json).toMatchObject({
      period_days: 30,
      in_flight_max: 20,
      terms: [
        { months: 1, discount_pct: 0 },
        { months: 6, discount_pct: 10 },
      ],
    })
    const offer = await publicPrice(testContext, 'plans', id)
    expect(offer?.terms.map(({ charge_cents }) => charge_cents)).toEqual([2000, 10_800])
    expect(await listedPrices('plan', id)).toEqual([2000])
  })

  test('change their price, terms and limits, and every price is kept', async () => {
    const { id } = (await post(PLANS, newPlan())).json
    const terms = [{ months: 3, discount_pct: 5 }]
    const changed = await patch(`${PLANS}/${id}`, {
      price_cents: 1500,
      terms,
      in_flight_max: 40,
      throttled: true,
    })
    expect(changed.json).toMatchObject({
      price_cents: 1500,
      in_flight_max: 40,
      throttled: true,
      period_credits: 3000,
    })
    expect(await listedPrices('plan', id)).toEqual([2000, 1500])
    await patch(`${PLANS}/${id}`, { badge: 'limited' })
    const offer = await publicPrice(testContext, 'plans', id)
    // Lowering the list price changes everyone's undiscounted rate, so there is no reference price.
    expect(offer).toMatchObject({ charge_cents: 1500, reference_cents: null, badge: 'limited' })
    expect(offer?.terms.map(({ months }) => months)).toEqual([1, 3])
    await patch(`${PLANS}/${id}`, { retired: true })
    expect(await publicPrice(testContext, 'plans', id)).toBeUndefined()
    expect(await auditOf(`plan:${id}`)).toHaveLength(4)
  })

  test('have unique slugs, even when created concurrently', async () => {
    const plan = newPlan()
    const answers = await Promise.all([post(PLANS, plan), post(PLANS, plan), post(PLANS, plan)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.code).toBe('slug_taken')
  })

  test.each([
    [{ terms: [{ months: 1, discount_pct: 10 }] }],
    [
      {
        terms: [
          { months: 3, discount_pct: 1 },
          { months: 3, discount_pct: 2 },
        ],
      },
    ],
    [{ terms: [{ months: 37, discount_pct: 1 }] }],
    [{ terms: [{ months: 3, discount_pct: 91 }] }],
    [{ slug: 'another' }],
    [{ price_cents: -5 }],
  ])('%j is refused', async (body) => {
    const { id } = await listPlan(testContext)
    expect((await patch(`${PLANS}/${id}`, body)).status).toBe(422)
  })

  test('an unknown plan is not found', async () => {
    expect((await patch(`${PLANS}/999999999`, { name: 'x' })).status).toBe(404)
  })
})

describe('promotions', () => {
  const at = (days: number, from = Date.now()) => new Date(from + days * DAY_MS).toISOString()
  const promote = (item_id: number, span: object) =>
    post(PROMOTIONS, { item_kind: 'plan', item_id, discount_pct: 20, ...span })

  test('start immediately and show their end', async () => {
    const { id } = await listPlan(testContext, { history: [[50, 1000]] })
    const ends_at = at(5)
    const created = await promote(id, { ends_at })
    expect(created.status, created.text).toBe(201)
    expect(created.json).toMatchObject({ item_kind: 'plan', item_id: id, discount_pct: 20, ends_at })
    const offer = await publicPrice(testContext, 'plans', id)
    expect(offer).toMatchObject({ charge_cents: 800, reference_cents: 1000, promo_ends_at: ends_at })
  })

  test('are created once by concurrent requests for one item', async () => {
    const { id } = await listPlan(testContext)
    const span = { starts_at: at(1), ends_at: at(3) }
    const answers = await Promise.all([promote(id, span), promote(id, span), promote(id, span)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await promote(id, { starts_at: at(2), ends_at: at(4) })).code).toBe('promotion_overlaps')
    expect((await promote(id, { starts_at: span.ends_at, ends_at: at(4) })).status).toBe(201)
  })

  test('can only be shortened once they have started', async () => {
    const { id } = await listPlan(testContext)
    const { json } = await promote(id, { ends_at: at(5) })
    const path = `${PROMOTIONS}/${json.id}` as const
    for (const body of [{ discount_pct: 30 }, { ends_at: at(6) }, { starts_at: at(1) }]) {
      const refused = await patch(path, body)
      expect([refused.status, refused.code]).toEqual([409, 'promotion_begun'])
    }
    const ends_at = at(2)
    expect((await patch(path, { ends_at })).json).toEqual({ ...json, ends_at })
    expect(await auditOf(`promotion:${json.id}`)).toMatchObject([
      { action: 'promotion.change', before: json, after: { ends_at } },
      { action: 'promotion.create', before: null },
    ])
  })

  test('can be changed freely before they start, but not into the past', async () => {
    const { id } = await listPlan(testContext)
    const { json } = await promote(id, { starts_at: at(1), ends_at: at(2) })
    const path = `${PROMOTIONS}/${json.id}` as const
    const changed = await patch(path, { starts_at: at(3), ends_at: at(9), discount_pct: 50 })
    expect(changed.json.discount_pct).toBe(50)
    const refused = await patch(path, { starts_at: at(-1) })
    expect([refused.status, refused.faults[0]?.loc]).toEqual([422, ['body', 'starts_at']])
  })

  test('end when retired; one that has not started never starts', async () => {
    const [one, other] = [await listPlan(testContext), await listPlan(testContext)]
    const running = (await promote(one.id, { ends_at: at(5) })).json
    const coming = (await promote(other.id, { starts_at: at(1), ends_at: at(5) })).json
    const retire = (id: number) => call('POST', `${PROMOTIONS}/${id}/retire`, { token: admin.token })
    const ended = await retire(running.id)
    expect(Math.abs(Date.parse(ended.json.ends_at) - Date.now())).toBeLessThan(60_000)
    expect(await publicPrice(testContext, 'plans', one.id)).toMatchObject({
      charge_cents: 1000,
      promo_ends_at: null,
    })
    expect((await retire(coming.id)).json.ends_at).toBe(coming.starts_at)
    expect((await retire(running.id)).json).toEqual(ended.json)
    expect(await auditOf(`promotion:${running.id}`)).toHaveLength(2)
    expect((await retire(999_999_999)).status).toBe(404)
  })

  test('expire by themselves and then remain only in the history', async () => {
    const limited = await makeLimitedContext({ requests_per_minute_anonymous: 1000 })
    const { token } = await registerAdministrator(limited)
    const { id } = await listPlan(limited, { history: [[50, 1000]] })
    const body = { item_kind: 'plan', item_id: id, discount_pct: 20, ends_at: at(1, limited.clock.now) }
    expect((await limited.call('POST', PROMOTIONS, { token, body })).status).toBe(201)
    limited.clock.now += DAY_MS - 1
    expect((await publicPrice(limited, 'plans', id))?.charge_cents).toBe(800)
    limited.clock.now += 1
    expect((await publicPrice(limited, 'plans', id))?.charge_cents).toBe(1000)
    const second = await limited.call('POST', PROMOTIONS, {
      token,
      body: { ...body, discount_pct: 10, ends_at: at(1, limited.clock.now) },
    })
    expect(second.status).toBe(201)
    expect(await publicPrice(limited, 'plans', id)).toMatchObject({
      charge_cents: 900,
      reference_cents: null,
    })
  })

  test.each([
    ['an unknown plan', { item_id: 999_999_999, ends_at: at(1) }, 404],
    ['an end in the past', { ends_at: at(-1) }, 422],
    ['a start in the past', { starts_at: at(-1), ends_at: at(1) }, 422],
    ['a zero discount', { discount_pct: 0, ends_at: at(1) }, 422],
    ['a discount that is too high', { discount_pct: 91, ends_at: at(1) }, 422],
    ['no end', {}, 422],
  ])('%s is refused', async (_what, body, status) => {
    const { id } = await listPlan(testContext)
    expect((await promote(id, body)).status).toBe(status)
  })

  test('are refused for retired items', async () => {
    const { id } = await listPlan(testContext)
    await patch(`${PLANS}/${id}`, { retired: true })
    expect((await promote(id, { ends_at: at(1) })).status).toBe(404)
  })
})
