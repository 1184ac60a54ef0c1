import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import {
  actAtCheckout,
  order,
  sendCallbacks,
  showOrder,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { DAY_MS, listPackage, listPlan } from '../../test/edge/worker/shop.ts'
import {
  actOnMandate,
  age,
  cancelRenewal,
  deliveredTo,
  emailsTo,
  showTerm,
  subscribe,
  transitionsOf,
} from '../../test/edge/worker/terms.ts'
import { plans } from '../tables.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })
/** A context without the sandbox providers, so no mandate can be charged. */
const coinsOnly = makeTestContext({ PAYMENT_SANDBOX_URL: undefined })

let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
})

async function subscriber(wanted: Parameters<typeof subscribe>[3] = {}) {
  const person = await register(testContext)
  const order_id = await subscribe(testContext, person, plan.id, wanted)
  return { person, order_id }
}

const renewalEmails = async (person: Person) =>
  (await emailsTo(testContext, person)).filter(({ content }) => content.kind === 'renewal')

describe('the current term', () => {
  test('is null without one', async () => {
    expect(await showTerm(testContext, await register(testContext))).toBeNull()
  })

  test('of three months has exactly these fields', async () => {
    const { person } = await subscriber({ months: 3, renews: false })
    const term = await showTerm(testContext, person)
    const start = timeOf(term?.period_start)
    expect(Math.abs(Date.now() - start)).toBeLessThan(20_000)
    expect(term).toEqual({
      plan_name: 'Tried',
      period_start: new Date(start).toISOString(),
      period_end: new Date(start + 90 * DAY_MS).toISOString(),
      credits_per_month: 1000,
      credits_per_period: 1000,
      months_total: 3,
      months_granted: 1,
      next_grant_at: new Date(start + 30 * DAY_MS).toISOString(),
      can_extend: true,
      auto_renew: false,
      renewal_status: 'off',
      renews_at: null,
      renewal_amount_cents: null,
      renewal_currency: null,
      renewal_months: null,
      cancel_at_period_end: false,
      grace_until: null,
      can_cancel: false,
    })
  })

  test('that renews states when, for how much and for how long', async () => {
    const { person } = await subscriber({ months: 3 })
    const term = await showTerm(testContext, person)
    expect(term).toMatchObject({
      auto_renew: true,
      renewal_status: 'active',
      renews_at: term?.period_end,
      renewal_amount_cents: 4050,
      renewal_currency: 'USD',
      renewal_months: 3,
      can_cancel: true,
    })
  })

  test('counts a month that has begun as granted, and has none left at the end', async () => {
    const { person } = await subscriber({ months: 3, renews: false })
    await age(testContext, person, 61)
    const term = await showTerm(testContext, person)
    expect(term).toMatchObject({ months_granted: 3, next_grant_at: null })
    expect(timeOf(term?.period_end)).toBeGreaterThan(Date.now())
  })

  test('is null after its end', async () => {
    const { person } = await subscriber({ renews: false })
    await age(testContext, person, 30)
    expect(await showTerm(testContext, person)).toBeNull()
  })

  test('of a retired plan cannot be extended', async () => {
    const retired = await listPlan(testContext)
    const person = await register(testContext)
    await subscribe(testContext, person, retired.id, { renews: false })
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE plans SET retired_at = 1 WHERE id = ?',
      args: [retired.id],
    })
    expect(await showTerm(testContext, person)).toMatchObject({ can_extend: false })
  })
})

describe('Purchase rule 8', () => {
  test('a cancellation ends only the mandate: the months and the end of the term stay', async () => {
    const { person, order_id } = await subscriber({ months: 3, consent_locale: 'uk' })
    const before = await showTerm(testContext, person)
    const { status, json } = await cancelRenewal(testContext, person)
    expect(status).toBe(200)
    expect(json).toEqual({
      auto_renew: false,
      renewal_status: 'cancelling',
      cancel_at_period_end: true,
      renews_at: null,
      period_end: before?.period_end,
      months_total: 3,
      can_cancel: false,
    })
    expect(await showTerm(testContext, person)).toMatchObject({
      ...json,
      next_grant_at: before?.next_grant_at,
    })
    await eventually('the mandate to end at the provider', async () =>
      (await showSandboxOrder(order_id)).mandates.every((mandate) => mandate.status === 'canceled'),
    )
    const emails = await renewalEmails(person)
    // The email uses the account's language, not the language of the consent.
    expect(emails.map(({ content, locale }) => [content.status, locale])).toEqual([['cancelled', 'en']])
  })

  test('without a renewal it is a 409 not_recurring, and can_cancel is false', async () => {
    const without = await register(testContext)
    const { person: off } = await subscriber({ renews: false })
    const { person: cancelled } = await subscriber()
    await cancelRenewal(testContext, cancelled)
    const { person: over } = await subscriber()
    await age(testContext, over, 40)
    for (const person of [without, off, cancelled, over]) {
      expect((await showTerm(testContext, person))?.can_cancel ?? false).toBe(false)
      const { status, json } = await cancelRenewal(testContext, person)
      expect([status, json.code]).toEqual([409, 'not_recurring'])
      expect(json.detail).toEqual({ code: 'not_recurring', message: expect.any(String) })
    }
  })

  test.each([
    ['past due', 'fail_charge'],
    ['paused', 'pause'],
  ])('a term that is %s can be cancelled', async (_state, action) => {
    const { person, order_id } = await subscriber()
    await actOnMandate(testContext, order_id, action)
    expect(await showTerm(testContext, person)).toMatchObject({ can_cancel: true, auto_renew: true })
    expect((await cancelRenewal(testContext, person)).json).toMatchObject({ renewal_status: 'cancelling' })
  })

  test('the email names the renewing plan, even during a month of another plan', async () => {
    const person = await register(testContext)
    const other = await listPlan(testContext)
    await testContext.deps.db.update(plans).set({ name: 'Other' }).where(eq(plans.id, other.id))
    const renewing = { plan_id: plan.id, auto_renew: true, accept_recurring: true, provider: 'sandbox_card' }
    const ids = [
      await order(testContext, person, renewing),
      await order(testContext, person, { plan_id: other.id }),
    ]
    for (const id of ids) await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    await age(testContext, person, 30)
    await testContext.call('GET', '/api/v1/billing/balance', { token: person.token })
    expect(await showTerm(testContext, person)).toMatchObject({
      plan_name: 'Other',
      renewal_status: 'active',
    })
    expect((await cancelRenewal(testContext, person)).status).toBe(200)
    expect(await renewalEmails(person)).toMatchObject([
      { content: { status: 'cancelled', plan_name: 'Tried' } },
    ])
  })

  test('a repetition under the same key gets the same response; ten concurrent requests cancel once', async () => {
    const { person } = await subscriber()
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await cancelRenewal(testContext, person, key)
    expect((await cancelRenewal(testContext, person, key)).json).toEqual(first.json)
    const { person: other } = await subscriber()
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancelRenewal(testContext, other)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await renewalEmails(other)).toHaveLength(1)
  })
})

test('Purchase rule 7: when renewal is unavailable no term is shown as renewing, and none can be cancelled', async () => {
  const { person } = await subscriber()
  await testContext.settled()
  expect(await showTerm(coinsOnly, person)).toMatchObject({ auto_renew: false, can_cancel: false })
  const { status, json } = await cancelRenewal(coinsOnly, person)
  expect([status, json.code]).toEqual([409, 'not_recurring'])
  expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'active', can_cancel: true })
})

test('Purchase rule 11: a refund of months withdraws them, and ends the term with the month, and the mandate', async () => {
  const { person, order_id } = await subscriber({ months: 3 })
  const { status, text } = await testContext.call('POST', `/api/v1/billing/payments/${order_id}/refund`, {
    token: person.token,
    body: {},
  })
  expect(status, text).toBe(200)
  const term = await showTerm(testContext, person)
  expect(term).toMatchObject({ renewal_status: 'cancelling', renews_at: null, next_grant_at: null })
  expect(timeOf(term?.period_end) - timeOf(term?.period_start)).toBe(30 * DAY_MS)
  expect(term?.months_total).toBe(1)
})

describe('an order during a term', () => {
  test('extends it, and the renewal charge keeps its date', async () => {
    const { person } = await subscriber()
    const before = await showTerm(testContext, person)
    await subscribe(testContext, person, plan.id, { months: 3, renews: false })
    const after = await showTerm(testContext, person)
    expect(after).toMatchObject({ months_total: 4, renews_at: before?.renews_at, renewal_status: 'active' })
    expect(timeOf(after?.period_end) - timeOf(before?.period_end)).toBe(90 * DAY_MS)
    expect(await deliveredTo(testContext, person)).toEqual([1000])
  })

  test('closes an expired term in the same commit, with all its months delivered', async () => {
    const { person } = await subscriber({ months: 3, renews: false })
    await age(testContext, person, 100)
    await subscribe(testContext, person, plan.id, { renews: false })
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000, 1000, 1000])
    expect(await showTerm(testContext, person)).toMatchObject({ months_total: 1, months_granted: 1 })
    expect(await transitionsOf(testContext, person)).toEqual([
      ['off', 'order'],
      ['ended', 'over'],
      ['off', 'order'],
    ])
  })
})

test('the account record shows a plan while it runs', async () => {
  const { person } = await subscriber({ renews: false })
  // Isolates cache an account for a few seconds; a new isolate has no cache.
  const record = async () =>
    (await makeTestContext().call('GET', '/api/v1/auth/me', { token: person.token })).json
  expect(await record()).toMatchObject({ tier: 'paid', plan_name: 'Tried' })
  await age(testContext, person, 31)
  expect(await record()).toMatchObject({ tier: 'free', plan_name: null })
})

test('a second paid checkout with renewal leaves no second mandate', async () => {
  const person = await register(testContext)
  const renewing = { plan_id: plan.id, auto_renew: true, accept_recurring: true, provider: 'sandbox_card' }
  const first = await order(testContext, person, renewing)
  const second = await order(testContext, person, renewing)
  for (const id of [first, second]) await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
  const statuses = async (id: string) => (await showSandboxOrder(id)).mandates.map(({ status }) => status)
  await eventually('the second mandate to end', async () => (await statuses(second))[0] === 'canceled')
  expect(await statuses(first)).toEqual(['active'])
  expect(await showTerm(testContext, person)).toMatchObject({ months_total: 2, renewal_status: 'active' })
  const renews = async (id: string) => (await showOrder(testContext, person, id))?.auto_renew
  expect([await renews(first), await renews(second)]).toEqual([true, false])
  const ended = (await showSandboxOrder(second)).events.filter(({ type }) => type === 'subscription.canceled')
  expect(ended).toHaveLength(1)
  const log = vi.spyOn(console, 'error')
  try {
    await sendCallbacks(testContext, ended)
    expect(log).not.toHaveBeenCalled()
  } finally {
    log.mockRestore()
  }
})

test('a pack does not change a term', async () => {
  const { person } = await subscriber()
  const pack = await listPackage(testContext)
  const before = await showTerm(testContext, person)
  const id = await order(testContext, person, { package_id: pack.id })
  await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
  expect(await showTerm(testContext, person)).toEqual(before)
})
