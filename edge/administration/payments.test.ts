import { beforeAll, describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { actAtCheckout, order, sendCallbacks, showOrder } from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { listPackage, listPlan, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { pollOrders } from '../orders/poll.ts'

const testContext = makeTestContext({ SMTP_HOST: undefined })
const { call } = testContext
const PAYMENTS = '/api/v1/billing/admin/payments'
const TOPUP = '/api/v1/billing/admin/topup'

let admin: Person
let plan: { id: number }
let pack: { id: number }
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
  plan = await listPlan(testContext, { price_cents: 1000, terms: [[3, 0]] })
  pack = await listPackage(testContext, { price_cents: 1000 })
})

type Row = Record<string, unknown>
const get = <Address extends string>(path: Address) => call('GET', path, { token: admin.token })
const post = <Address extends string>(path: Address, body: object, headers: Record<string, string> = {}) =>
  call('POST', path, { token: admin.token, body, headers })
const auditOf = async (target: string) =>
  (await get(`/api/v1/admin/audit?target=${encodeURIComponent(target)}`)).json

async function grantsOf(person: Person): Promise<[string, number][]> {
  const { entries, check } = await ledgerOf(testContext, person)
  expect(check.ok).toBe(true)
  return entries
    .filter(({ order_id }) => order_id !== null)
    .map(({ entry_type, amount }) => [entry_type, amount])
}

/** Pays the given percentage of a crypto order. */
async function underpay(pct: number, item: object = { package_id: pack.id }) {
  const person = await register(testContext)
  const id = await order(testContext, person, { ...item, provider: 'sandbox_crypto' })
  await sendCallbacks(testContext, await actAtCheckout(id, 'underpay', pct))
  return { person, id }
}

describe('the list of payments', () => {
  test('covers all accounts, newest first, by status and by page', async () => {
    const { person, id } = await underpay(40)
    const { json, status } = await get(`${PAYMENTS}?payment_status=partially_paid&limit=500`)
    expect(status).toBe(200)
    expect(json.filter(({ order_id }: Row) => order_id === id)).toEqual([
      {
        ...(await showOrder(testContext, person, id)),
        account_id: person.id,
        email: person.email,
        refused_cents: 0,
        surplus_cents: 0,
        surplus_credited_cents: 0,
        provider_reference: expect.any(String),
        terms_version: expect.stringMatching(/^[0-9a-f]{12}$/),
        accepted_documents: [
          expect.objectContaining({ document: 'terms', locale: 'en' }),
          expect.objectContaining({ document: 'refunds', locale: 'en' }),
        ],
        consent_locale: null,
      },
    ])
    const waiting = await order(testContext, person, { package_id: pack.id })
    const idsOf = async (query: string): Promise<string[]> =>
      (await get(`${PAYMENTS}?${query}`)).json.map(({ order_id }) => order_id)
    // Other test files add orders concurrently, and those come first in later lists.
    const ids = await idsOf('limit=500')
    expect(ids.filter((each) => each === waiting || each === id)).toEqual([waiting, id])
    expect(await idsOf('limit=1')).toHaveLength(1)
    expect(await idsOf(`limit=500&offset=${ids.indexOf(id)}`)).toContain(id)
    expect(await idsOf('limit=500&offset=500')).not.toContain(id)
    const paid: Row[] = (await get(`${PAYMENTS}?payment_status=paid&limit=500`)).json
    expect(paid.filter((row) => row.status !== 'paid')).toEqual([])
  })

  test.each(['payment_status=lost', 'limit=0', 'limit=501', 'offset=-1'])('refuses ?%s', async (query) => {
    expect((await get(`${PAYMENTS}?${query}`)).status).toBe(422)
  })

  test('is refused to other accounts, like the other administration routes', async () => {
    const { token } = await register(testContext)
    expect((await call('GET', PAYMENTS, { token })).status).toBe(403)
    const body = { action: 'refuse' }
    expect((await call('POST', `${PAYMENTS}/x/resolve`, { token, body })).status).toBe(403)
    expect((await call('POST', TOPUP, { token, body: { account_id: 1, credits: 1 } })).status).toBe(403)
  })
})

describe('resolving an underpayment', () => {
  const resolve = (id: string, body: object) => post(`${PAYMENTS}/${id}/resolve`, body)

  test('full_grant delivers the whole order, once', async () => {
    const { person, id } = await underpay(40)
    const answer = await resolve(id, { action: 'full_grant', note: 'a good customer' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json).toMatchObject({ order_id: id, status: 'paid', actually_paid_cents: 400 })
    const { receipt_number, receipt_url, ...paid } = found(await showOrder(testContext, person, id))
    expect(answer.json).toMatchObject(paid)
    expect([receipt_number, receipt_url]).toEqual([
      expect.stringMatching(/^R-/),
      expect.stringMatching(/^http/),
    ])
    expect(await grantsOf(person)).toEqual([['purchase', 500]])
    expect(await auditOf(`order:${id}`)).toMatchObject([
      {
        administrator_id: admin.id,
        action: 'payment.resolve',
        before: { status: 'partially_paid', actually_paid_cents: 400 },
        after: { status: 'paid', action: 'full_grant', credits: 500, note: 'a good customer' },
      },
    ])
    expect((await resolve(id, { action: 'full_grant' })).status).toBe(409)
    expect(await grantsOf(person)).toHaveLength(1)
  })

  test('pro_rata_grant delivers the paid part, in whole credits', async () => {
    const { person, id } = await underpay(33)
    expect((await resolve(id, { action: 'pro_rata_grant' })).json).toMatchObject({
      status: 'paid',
      credits: 500,
    })
    expect(await grantsOf(person)).toEqual([['purchase', 165]])
    expect(await auditOf(`order:${id}`)).toMatchObject([{ after: { credits: 165 } }])
  })

  test('pro_rata_grant of a bundle delivers that part of the pack and of the credits of each month', async () => {
    const { person, id } = await underpay(50, { plan_id: plan.id, months: 3, package_id: pack.id })
    await resolve(id, { action: 'pro_rata_grant' })
    expect(await grantsOf(person)).toEqual([
      ['subscription', 500],
      ['purchase', 250],
    ])
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT credits FROM term_months WHERE account_id = ?',
      args: [person.id],
    })
    expect(rows.map(({ credits }) => credits)).toEqual([500, 500, 500])
  })

  test('pro_rata_grant of a bundle is a 409 when one half would round to nothing', async () => {
    const { person, id } = await underpay(40, { plan_id: plan.id, months: 3, package_id: pack.id })
    await query(testContext, 'UPDATE orders SET bundle_credits = 2 WHERE id = ?', id)
    const { status, json } = await resolve(id, { action: 'pro_rata_grant' })
    expect([status, json.code]).toEqual([409, 'payment_below_one_credit'])
    expect(await grantsOf(person)).toEqual([])
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'partially_paid' })
    expect(await auditOf(`order:${id}`)).toEqual([])
  })

  test('refuse grants nothing, and a later remainder waits for an administrator', async () => {
    const { person, id } = await underpay(40)
    expect((await resolve(id, { action: 'refuse' })).json).toMatchObject({
      status: 'refused',
      refused_cents: 400,
      credited_at: null,
    })
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    // The provider now reports the full amount as paid.
    await query(testContext, 'UPDATE orders SET next_poll_at = 0 WHERE id = ?', id)
    await pollOrders(testContext.deps)
    expect(await grantsOf(person)).toEqual([])
    const waiting = { status: 'partially_paid', actually_paid_cents: 1000 }
    expect(await showOrder(testContext, person, id)).toMatchObject(waiting)
    const listed: Row[] = (await get(`${PAYMENTS}?payment_status=partially_paid&limit=500`)).json
    expect(listed).toContainEqual(expect.objectContaining({ ...waiting, order_id: id, refused_cents: 400 }))
    // The refused part does not count: 600 of 1,000 cents buys 300 of 500 credits.
    expect((await resolve(id, { action: 'pro_rata_grant' })).json).toMatchObject({ status: 'paid' })
    expect(await grantsOf(person)).toEqual([['purchase', 300]])
  })

  test('a remainder that arrives after a pro-rata grant is a surplus', async () => {
    const { person, id } = await underpay(40)
    await resolve(id, { action: 'pro_rata_grant' })
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect((await resolve(id, { action: 'credit_surplus' })).json).toMatchObject({
      surplus_cents: 0,
      surplus_credited_cents: 600,
    })
    expect(await grantsOf(person)).toEqual([
      ['purchase', 300],
      ['purchase', 200],
    ])
  })

  test('a remainder that arrives after a full grant is recorded and grants nothing', async () => {
    const { person, id } = await underpay(40)
    await resolve(id, { action: 'full_grant' })
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'paid',
      actually_paid_cents: 1000,
    })
    expect(await grantsOf(person)).toEqual([['purchase', 500]])
  })

  test('concurrent resolutions by two administrators deliver once', async () => {
    const { person, id } = await underpay(40)
    const answers = await Promise.all([1, 2, 3].map(() => resolve(id, { action: 'full_grant' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await grantsOf(person)).toEqual([['purchase', 500]])
  })

  test('is a 409 for an order that is not partially paid, and a 404 for an unknown order', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: pack.id })
    const answer = await resolve(id, { action: 'full_grant' })
    expect([answer.status, answer.code]).toEqual([409, 'order_not_partially_paid'])
    expect((await resolve('O-NONE', { action: 'refuse' })).status).toBe(404)
    expect((await resolve(id, { action: 'forget' })).status).toBe(422)
    expect(await auditOf(`order:${id}`)).toEqual([])
  })
})

describe('a top-up', () => {
  test.each(['account_id', 'email'])('by %s grants credits that never expire', async (by) => {
    const person = await register(testContext)
    const named = by === 'account_id' ? { account_id: person.id } : { email: person.email.toUpperCase() }
    const answer = await post(TOPUP, { ...named, credits: 300, note: 'sorry' })
    expect(answer.json).toEqual({ balance: 320, expiring: 20, expires_at: expect.stringMatching(/^20/) })
    const { entries } = await ledgerOf(testContext, person)
    expect(entries[0]).toMatchObject({ entry_type: 'adjust', amount: 300, expires_at: null, note: 'sorry' })
    expect(await auditOf(`account:${person.id}`)).toMatchObject([
      {
        administrator_id: admin.id,
        action: 'account.topup',
        before: { balance: 20 },
        after: { balance: 320, credits: 300, note: 'sorry' },
      },
    ])
  })

  test('that is negative removes credits with a reason, and the ledger sums agree', async () => {
    const person = await register(testContext)
    await post(TOPUP, { account_id: person.id, credits: 300 })
    const answer = await post(TOPUP, { account_id: person.id, credits: -310, note: 'granted twice' })
    expect([answer.status, answer.json]).toMatchObject([200, { balance: 10, expiring: 10 }])
    const { entries, check } = await ledgerOf(testContext, person)
    expect(check).toEqual({ ok: true, balance: 10, ledger_sum: 10, grants_sum: 10 })
    expect(entries[0]).toMatchObject({
      entry_type: 'adjust',
      amount: -310,
      note: 'granted twice',
      taken_from: [
        { entry_type: 'daily_free', amount: -10 },
        { entry_type: 'adjust', amount: -300 },
      ],
    })
    expect((await auditOf(`account:${person.id}`))[0]).toMatchObject({
      action: 'account.topup',
      before: { balance: 320 },
      after: { balance: 10, credits: -310, note: 'granted twice' },
    })
  })

  test('never removes more than the balance', async () => {
    const person = await register(testContext)
    const answer = await post(TOPUP, { account_id: person.id, credits: -21, note: 'too much' })
    expect([answer.status, answer.code]).toEqual([409, 'removal_exceeds_balance'])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 20 })
  })

  test('grants nothing when repeated under its idempotency key', async () => {
    const person = await register(testContext)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { account_id: person.id, credits: 10 }
    const answers = [await post(TOPUP, body, headers), await post(TOPUP, body, headers)]
    expect(answers.map(({ json }) => json.balance)).toEqual([30, 30])
    expect((await ledgerOf(testContext, person)).balance).toBe(30)
  })

  test.each([
    ['for no account', { credits: 5 }],
    ['for two accounts', { credits: 5, account_id: 1, email: 'a@example.com' }],
    ['of zero credits', { credits: 0, account_id: 1 }],
    ['that removes without a reason', { credits: -5, account_id: 1 }],
    ['that removes for a blank reason', { credits: -5, account_id: 1, note: ' ' }],
    ['of too many credits', { credits: 1_000_001, account_id: 1 }],
    ['of a fraction', { credits: 1.5, account_id: 1 }],
  ])('%s is a 422', async (_what, body) => {
    expect((await post(TOPUP, body)).status).toBe(422)
  })

  test('for an unknown account is a 404', async () => {
    expect((await post(TOPUP, { credits: 5, email: 'nobody@example.com' })).status).toBe(404)
    expect((await post(TOPUP, { credits: 5, account_id: 999_999_999 })).status).toBe(404)
  })
})
