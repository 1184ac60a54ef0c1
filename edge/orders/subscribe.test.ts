import { beforeAll, describe, expect, test } from 'vitest'
import { openOrderDesk } from '../../test/edge/worker/order-desk.ts'
import {
  actAtCheckout,
  buy,
  order,
  sendCallbacks,
  showOrder,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { register } from '../../test/edge/worker/people.ts'
import { DAY_MS, listPackage, listPlan } from '../../test/edge/worker/shop.ts'

const { testContext, query, post, ordersOf, monthsOf, termsOf, makeShop, bought, endTerm } = openOrderDesk()
const MONTH_MS = 30 * DAY_MS

let plan: { id: number }
let pack: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
  pack = await listPackage(testContext, { price_cents: 800 })
})

describe('Purchase rule 7: automatic renewal', () => {
  const RENEWING = { auto_renew: true, accept_recurring: true }

  test('opens a renewing term at the price of the first order', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { plan_id: plan.id, months: 3, ...RENEWING })
    const { payments } = await showSandboxOrder(id)
    expect(payments).toMatchObject([{ renews_every_days: 90 }])
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    const [term] = await termsOf(person)
    const { mandates } = await showSandboxOrder(id)
    expect(term).toMatchObject({
      renewal_status: 'active',
      mandate: mandates[0]?.id,
      renewal_amount_cents: 4050,
      renewal_currency: 'USD',
      renewal_months: 3,
      renews_at: term?.period_end,
    })
    expect(await showOrder(testContext, person, id)).toMatchObject({ auto_renew: true })
  })

  test('is a 400 without accept_recurring, which is named', async () => {
    const body = { plan_id: plan.id, auto_renew: true }
    const answer = await post('subscribe', await register(testContext), body)
    expect([answer.status, answer.code]).toEqual([400, 'consent_required'])
  })

  test.each([
    ['a crypto rail', { provider: 'sandbox_crypto' }, false, {}],
    ['a bundle', { package_id: 0 }, false, {}],
    ['a term that is already paid', {}, true, {}],
    ['a service with renewal off', {}, false, { recurring_enabled: false }],
  ])('is a 409 recurring_unavailable for %s', async (_what, changed, hasTerm, settings) => {
    const person = await register(testContext)
    if (hasTerm) await buy(testContext, person, { plan_id: plan.id })
    const where = await makeShop(settings)
    const bundle = 'package_id' in changed ? { package_id: pack.id } : {}
    const body = { plan_id: plan.id, ...RENEWING, ...changed, ...bundle }
    const answer = await post('subscribe', person, body, where)
    expect([answer.status, answer.code]).toEqual([409, 'recurring_unavailable'])
    expect(await ordersOf(person)).toHaveLength(hasTerm ? 1 : 0)
  })

  test('keeps the first mandate and ends the other when two checkouts are paid', async () => {
    const person = await register(testContext)
    const one = await order(testContext, person, { plan_id: plan.id, ...RENEWING })
    const other = await order(testContext, person, { plan_id: plan.id, ...RENEWING })
    for (const id of [one, other]) await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    const [term, ...more] = await termsOf(person)
    expect(more).toEqual([])
    const [kept, ended] = [
      (await showSandboxOrder(one)).mandates[0],
      (await showSandboxOrder(other)).mandates[0],
    ]
    expect(term).toMatchObject({ mandate: kept?.id, renewal_status: 'active' })
    expect(await monthsOf(person)).toHaveLength(2)
    await testContext.settled()
    expect((await showSandboxOrder(other)).mandates).toMatchObject([{ id: ended?.id, status: 'canceled' }])
    expect((await showSandboxOrder(one)).mandates).toMatchObject([{ status: 'active' }])
  })
})

describe('Purchase routing for a plan', () => {
  test('the same plan extends the term: months are appended, the current one is unchanged', async () => {
    const person = await register(testContext)
    await buy(testContext, person, { plan_id: plan.id })
    const [before] = await termsOf(person)
    const id = await buy(testContext, person, { plan_id: plan.id, months: 3 })
    const [after, ...more] = await termsOf(person)
    expect(more).toEqual([])
    expect(Number(after?.period_end) - Number(before?.period_end)).toBe(3 * MONTH_MS)
    expect(after).toMatchObject({ id: before?.id, started_at: before?.started_at })
    const months = await monthsOf(person)
    expect(months.map(({ number }) => number)).toEqual([1, 2, 3, 4])
    expect(months[1]?.starts_at).toBe(months[0]?.ends_at)
    expect(await bought(person)).toEqual([['subscription', 1000, false]])
    expect(await showOrder(testContext, person, id)).toMatchObject({ extends_term: true })
  })

  test('a different plan is a 409 while a term runs, and opens a new one afterwards', async () => {
    const person = await register(testContext)
    await buy(testContext, person, { plan_id: plan.id })
    const other = await listPlan(testContext)
    const answer = await post('subscribe', person, { plan_id: other.id })
    expect([answer.status, answer.code]).toEqual([409, 'another_plan_running'])
    expect(await ordersOf(person)).toHaveLength(1)
    await endTerm(person)
    await buy(testContext, person, { plan_id: other.id })
    const terms = await termsOf(person)
    expect(terms).toMatchObject([
      { plan_id: plan.id, renewal_status: 'ended', ended_at: expect.any(Number) },
      { plan_id: other.id, renewal_status: 'off', ended_at: null },
    ])
  })

  test('two paid checkouts of different plans are both delivered, one after the other', async () => {
    const person = await register(testContext)
    const other = await listPlan(testContext)
    const ids = [
      await order(testContext, person, { plan_id: plan.id }),
      await order(testContext, person, { plan_id: other.id }),
    ]
    for (const id of ids) await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    const [first, second] = await monthsOf(person)
    expect([first?.order_id, second?.order_id]).toEqual(ids)
    expect(second?.starts_at).toBe(first?.ends_at)
    expect(await termsOf(person)).toHaveLength(1)
  })

  test('months bought after a withdrawal get unused numbers', async () => {
    const person = await register(testContext)
    await buy(testContext, person, { plan_id: plan.id, months: 3 })
    const [term] = await termsOf(person)
    await query("UPDATE term_months SET withdrawn_by = 'r' WHERE account_id = ? AND number > 1", person.id)
    const [month] = await monthsOf(person)
    await query(
      'UPDATE subscriptions SET period_end = ? WHERE id = ?',
      Number(month?.ends_at),
      String(term?.id),
    )
    await buy(testContext, person, { plan_id: plan.id })
    const months = await monthsOf(person)
    expect(months.map(({ number }) => number)).toEqual([1, 2, 3, 4])
    expect(months[3]?.starts_at).toBe(months[0]?.ends_at)
  })
})
