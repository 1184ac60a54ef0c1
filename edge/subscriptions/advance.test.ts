import { beforeAll, describe, expect, test } from 'vitest'
import { depsAt, eventually, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { actAtCheckout, order, sendCallbacks, showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { DAY_MS, listPlan, registerAdministrator } from '../../test/edge/worker/shop.ts'
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
import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { handlePayment } from '../orders/handle-payment.ts'
import { runScheduled } from '../scheduled.ts'
import { endObsoleteMandates } from './end-mandates.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })
const run = () => runScheduled(testContext.deps)

let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, {
    price_cents: 1500,
    terms: [
      [3, 10],
      [12, 20],
    ],
  })
})

async function subscriber(wanted: Parameters<typeof subscribe>[3] = {}) {
  const person = await register(testContext)
  return { person, order_id: await subscribe(testContext, person, plan.id, wanted) }
}

async function emailKinds(person: Person): Promise<string[]> {
  const own = await emailsTo(testContext, person)
  return own.flatMap(({ content }) => (content.kind === 'renewal' ? [content.status] : []))
}

async function mandateEnds(order_id: string) {
  await eventually('the mandate to end at the provider', async () =>
    (await showSandboxOrder(order_id)).mandates.every(({ status }) => status === 'canceled'),
  )
}

/**
 * Handles the payment by polling the provider, because webhook signatures are valid for only a few minutes of real
 * time.
 */
async function handlePolledPayment(deps: Deps, order_id: string): Promise<void> {
  const provider = deps.payments.find(({ name }) => name === 'sandbox_card')
  const reference = (await showSandboxOrder(order_id)).payments[0]?.reference ?? ''
  const reported = await provider?.findPayment({ order_id, reference })
  if (!provider || !reported) throw new Error(`the provider knows nothing of ${order_id}`)
  await handlePayment(deps, provider, { ...reported, order_id }, null)
}

describe('the months of an inactive account', () => {
  test('land as they begin, each once, however often and late the task runs', async () => {
    const { person } = await subscriber({ months: 3, renews: false })
    await run()
    expect(await deliveredTo(testContext, person)).toEqual([1000])
    await age(testContext, person, 30)
    await Promise.all([run(), run(), run()])
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
    await age(testContext, person, 40)
    await run()
    await run()
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000, 1000])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 1020 })
  })

  test('that all began while nothing ran land and expire in order, and the term closes', async () => {
    const { person } = await subscriber({ months: 3, renews: false })
    await age(testContext, person, 95)
    await run()
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000, 1000])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 20 })
    expect(await transitionsOf(testContext, person)).toEqual([
      ['off', 'order'],
      ['ended', 'time'],
    ])
  })
})

describe('the notice before a charge', () => {
  test.each([
    ['one month: seven days before', 1, 22, 2],
    ['twelve months: thirty days before', 12, 329, 2],
  ])('of %s, is sent once', async (_name, months, quiet, more) => {
    const { person } = await subscriber({ months })
    await age(testContext, person, quiet)
    await run()
    expect(await emailKinds(person)).toEqual([])
    await age(testContext, person, more)
    await Promise.all([run(), run()])
    await run()
    expect(await emailKinds(person)).toEqual(['notice'])
    const [notice] = (await emailsTo(testContext, person)).filter(({ content }) => content.kind === 'renewal')
    const term = await showTerm(testContext, person)
    expect(notice.content).toMatchObject({
      at: timeOf(term?.renews_at),
      amount_cents: months === 1 ? 1500 : 14_400,
      currency: 'USD',
      plan_name: 'Tried',
    })
  })

  test('is sent again before the next charge', async () => {
    const { person, order_id } = await subscriber()
    await age(testContext, person, 25)
    await run()
    await actOnMandate(testContext, order_id, 'charge')
    await run()
    expect(await emailKinds(person)).toEqual(['notice'])
    // Half a day off, because an email's id contains the charge time and both emails would have the same id here.
    await age(testContext, person, 29.5)
    await run()
    expect(await emailKinds(person)).toEqual(['notice', 'notice'])
  })

  test.each([
    ['does not renew', async (person: Person) => void (await cancelRenewal(testContext, person))],
    ['is paused', async (_: Person, id: string) => void (await actOnMandate(testContext, id, 'pause'))],
  ])('is not sent for a term that %s', async (_name, change) => {
    const { person, order_id } = await subscriber()
    await change(person, order_id)
    await age(testContext, person, 25)
    await run()
    expect(await emailKinds(person)).not.toContain('notice')
  })
})

describe('an unreported charge', () => {
  test('is polled and counts as if it had been reported', async () => {
    const { person, order_id } = await subscriber()
    await actAtCheckout(order_id, 'charge')
    await age(testContext, person, 30.1)
    await run()
    await run()
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'active', months_total: 2 })
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
  })

  test('is found even when nothing ran for longer than the grace', async () => {
    const { person, order_id } = await subscriber()
    await actAtCheckout(order_id, 'charge')
    await age(testContext, person, 45)
    await run()
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'active', months_total: 2 })
    expect(await emailKinds(person)).toEqual([])
  })

  test.each([29, 30.1])(
    'that landed before a cancellation, after %d days, is polled once, and its month lands',
    async (days) => {
      const { person, order_id } = await subscriber()
      await age(testContext, person, days)
      await actAtCheckout(order_id, 'charge')
      expect((await cancelRenewal(testContext, person)).status).toBe(200)
      await run()
      expect(await showTerm(testContext, person)).toMatchObject({ auto_renew: false })
      const sql = 'SELECT charge_asked_at FROM subscriptions WHERE account_id = ? AND mandate IS NOT NULL'
      const [row] = await query(testContext, sql, person.id)
      expect(row).toEqual({ charge_asked_at: expect.any(Number) })
      await age(testContext, person, 30)
      await run()
      expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
    },
  )

  test('that never happened counts as failed after a day, and the term closes after its grace', async () => {
    const { person, order_id } = await subscriber()
    await age(testContext, person, 30.5)
    await run()
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'active', grace_until: null })
    await age(testContext, person, 0.6)
    await Promise.all([run(), run()])
    const term = await showTerm(testContext, person)
    expect(term).toMatchObject({
      renewal_status: 'past_due',
      grace_until: new Date(timeOf(term?.renews_at) + 7 * DAY_MS).toISOString(),
    })
    expect(await emailKinds(person)).toEqual(['failed'])
    await age(testContext, person, 6)
    await run()
    expect(await showTerm(testContext, person)).toBeNull()
    await mandateEnds(order_id)
    expect(await transitionsOf(testContext, person)).toEqual([
      ['active', 'order'],
      ['past_due', 'time'],
      ['ended', 'time'],
    ])
    await Promise.all([run(), run()])
    expect(await emailKinds(person)).toEqual(['failed', 'ended'])
    const [{ content }] = (await emailsTo(testContext, person)).slice(-1)
    expect(content).toMatchObject({ plan_name: 'Tried', at: expect.any(Number), cancel_token: null })
  })
})

describe('an expired term', () => {
  test('closes once under five concurrent runs, and the daily allowance returns', async () => {
    const { person } = await subscriber({ renews: false })
    await age(testContext, person, 31)
    await Promise.all(Array.from({ length: 5 }, run))
    expect((await transitionsOf(testContext, person)).map(([status]) => status)).toEqual(['off', 'ended'])
    const tomorrow = depsAt(testContext, { now: () => Date.now() + DAY_MS + 1000 })
    expect((await settleAccount(tomorrow, person.id)).balance).toBe(20)
  })

  test('that is still open is closed by a purchase, which opens another', async () => {
    const { person } = await subscriber()
    const id = await order(testContext, person, { plan_id: plan.id, provider: 'sandbox_card' })
    await actAtCheckout(id, 'pay')
    // Only this payment uses the later clock. For everything else, the term is still running and must not be
    // closed.
    const now = Date.now() + 32 * DAY_MS
    const deps = depsAt(testContext, { now: () => now })
    await handlePolledPayment(deps, id)
    expect(await transitionsOf(testContext, person)).toEqual([
      ['active', 'order'],
      ['ended', 'over'],
      ['off', 'order'],
    ])
    expect(await showTerm(testContext, person)).toMatchObject({ months_total: 1, auto_renew: false })
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
    expect((await settleAccount(deps, person.id)).balance).toBe(1020)
  })

  test('that was cancelled ends at its end, not before', async () => {
    const { person } = await subscriber()
    await cancelRenewal(testContext, person)
    await age(testContext, person, 29)
    await run()
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'cancelling' })
    await age(testContext, person, 1)
    await run()
    expect((await transitionsOf(testContext, person)).map(([status]) => status)).toEqual([
      'active',
      'cancelling',
      'ended',
    ])
    // The email about the cancellation named the end.
    expect(await emailKinds(person)).toEqual(['cancelled'])
  })

  test('with prepaid months left after its grace ends only its renewal', async () => {
    const { person, order_id } = await subscriber()
    await subscribe(testContext, person, plan.id, { months: 3, renews: false })
    await actOnMandate(testContext, order_id, 'fail_charge')
    await age(testContext, person, 38)
    await run()
    expect(await showTerm(testContext, person)).toMatchObject({
      renewal_status: 'cancelling',
      renews_at: null,
      months_granted: 2,
      months_total: 4,
    })
    await mandateEnds(order_id)
    // Neither email says that the plan or its credits are ending, because prepaid months will still arrive.
    expect(await emailKinds(person)).toEqual(['failed_prepaid', 'cancelled'])
    const [failed, cancelled] = (await emailsTo(testContext, person)).filter(
      ({ content }) => content.kind === 'renewal',
    )
    expect(failed.content.at - failed.content.retries_until).toBe(83 * DAY_MS)
    expect(cancelled.content.at).toBe(failed.content.at - 38 * DAY_MS)
    expect(await deliveredTo(testContext, person)).toEqual([1000, 1000])
  })

  test('with a paused mandate ends the mandate', async () => {
    const { person, order_id } = await subscriber()
    await actOnMandate(testContext, order_id, 'pause')
    await age(testContext, person, 31)
    await run()
    expect(await showTerm(testContext, person)).toBeNull()
    await mandateEnds(order_id)
  })
})

describe('the mandate of a blocked account', () => {
  const block = async (id: number, blocked: boolean) => {
    const admin = await registerAdministrator(testContext)
    const answer = await testContext.call('PATCH', `/api/v1/admin/accounts/${id}`, {
      token: admin.token,
      body: { blocked },
    })
    expect(answer.status, answer.text).toBe(200)
  }

  test('is ended at the provider as soon as the account is blocked, and one email says so', async () => {
    const { person, order_id } = await subscriber()
    await block(person.id, true)
    await mandateEnds(order_id)
    await run()
    expect(await emailKinds(person)).toEqual(['blocked'])
    await block(person.id, false)
    expect(await showTerm(testContext, person)).toMatchObject({
      renewal_status: 'cancelling',
      renews_at: null,
    })
  })

  test('is ended when the order is paid after the block', async () => {
    const person = await register(testContext)
    const recurring = { auto_renew: true, accept_recurring: true }
    const id = await order(testContext, person, { plan_id: plan.id, provider: 'sandbox_card', ...recurring })
    await block(person.id, true)
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    await run()
    await mandateEnds(id)
    expect(await emailKinds(person)).toEqual(['blocked'])
  })
})

describe('Purchase rule 7: when renewal is switched off', () => {
  test('existing mandates are ended once, as by cancellation, and the terms stay', async () => {
    const { person, order_id } = await subscriber()
    const before = await showTerm(testContext, person)
    expect(before).toMatchObject({ renewal_status: 'active', can_cancel: true })
    const off = await makeLimitedContext({ recurring_enabled: false }, { SMTP_PORT: '9' })
    await Promise.all([endObsoleteMandates(off.deps), endObsoleteMandates(off.deps)])
    await mandateEnds(order_id)
    const after = await showTerm(testContext, person)
    expect(after).toMatchObject({
      renewal_status: 'cancelling',
      auto_renew: false,
      can_cancel: false,
      period_end: before?.period_end,
    })
    expect(await emailKinds(person)).toEqual(['cancelled'])
  })
})
