import { beforeAll, describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { actAtCheckout, order, sendCallbacks, showOrder } from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { askRefund, quoteOf } from '../../test/edge/worker/refunds.ts'
import { listPackage, listPlan, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { emailsTo } from '../../test/edge/worker/terms.ts'
import { handlePayment } from './handle-payment.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })
const { call } = testContext
const PAYMENTS = '/api/v1/billing/admin/payments'

let admin: Person
let pack: { id: number }
let plan: { id: number }
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
  // 500 credits for 1,000 cents, and 3,000 credits in three months for 4,050 cents.
  pack = await listPackage(testContext, { price_cents: 1000 })
  plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
})

async function open(item: object = { package_id: pack.id }) {
  const person = await register(testContext)
  await query(testContext, "UPDATE accounts SET locale = 'uk' WHERE id = ?", person.id)
  return { person, id: await order(testContext, person, { ...item, provider: 'sandbox_crypto' }) }
}

/** Acts at the checkout. The provider repeats each event, and reports the first three times at once. */
async function pay(id: string, act: string, pct?: number): Promise<void> {
  const events = await actAtCheckout(id, act, pct)
  await Promise.all([1, 2, 3].map(() => sendCallbacks(testContext, events)))
  await sendCallbacks(testContext, events)
}

/** Reports a total directly, as after a second deposit. */
async function report(id: string, paid_cents: number): Promise<void> {
  const provider = { name: 'sandbox_crypto', kind: 'crypto' } as const
  const [row] = await query(testContext, 'SELECT provider_reference FROM orders WHERE id = ?', id)
  const reference = String(row?.provider_reference)
  const event = { id: crypto.randomUUID(), occurred_at: Date.now() }
  await handlePayment(
    testContext.deps,
    provider,
    {
      ...{ kind: 'payment', order_id: id, reference, state: 'paid', paid_cents },
      ...{ currency: 'USD', charged: null, mandate: null },
    },
    event,
  )
}

const resolve = (id: string, action: string, headers: Record<string, string> = {}) =>
  call('POST', `${PAYMENTS}/${id}/resolve`, { token: admin.token, body: { action }, headers })

async function paymentEmails(person: Person) {
  const emails = await emailsTo(testContext, person)
  return emails
    .filter(({ content }) => content.kind === 'payment')
    .map(({ locale, content }) => ({ locale, ...content }))
}

async function purchases(person: Person): Promise<number[]> {
  const { entries, check } = await ledgerOf(testContext, person)
  expect(check.ok).toBe(true)
  return entries.filter(({ order_id }) => order_id !== null).map(({ amount }) => amount)
}

async function listedSurplus(id: string) {
  const { json } = await call('GET', `${PAYMENTS}?has_surplus=true&limit=500`, { token: admin.token })
  return json.find(({ order_id }) => order_id === id)
}

const auditOf = async (id: string) =>
  (await call('GET', `/api/v1/admin/audit?target=order:${id}`, { token: admin.token })).json

describe('an underpayment', () => {
  test('is announced once for each total, with what arrived, what is missing, and where to pay it', async () => {
    const { person, id } = await open()
    await pay(id, 'underpay', 40)
    const first = {
      locale: 'uk',
      ...{ status: 'underpaid', order_id: id, price_cents: 1000, paid_cents: 400, difference_cents: 600 },
      checkout_url: expect.stringContaining('/checkout/'),
    }
    expect(await paymentEmails(person)).toMatchObject([first])
    await report(id, 700)
    await report(id, 700)
    expect(await paymentEmails(person)).toMatchObject([first, { paid_cents: 700, difference_cents: 300 }])
    await pay(id, 'pay')
    expect(await paymentEmails(person)).toHaveLength(2)
    expect(await purchases(person)).toEqual([500])
  })

  test('that is refused is answered by one email, and its money stays visible', async () => {
    const { person, id } = await open()
    await pay(id, 'underpay', 40)
    expect(await quoteOf(testContext, person, id)).toMatchObject({ paid_cents: 400, blocked: 'not_settled' })
    const answers = await Promise.all([1, 2].map(() => resolve(id, 'refuse')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [, refused, ...others] = await paymentEmails(person)
    expect([refused, others]).toMatchObject([
      { locale: 'uk', status: 'refused', paid_cents: 400, difference_cents: 600, checkout_url: null },
      [],
    ])
    expect(await quoteOf(testContext, person, id)).toMatchObject({ paid_cents: 400, amount_cents: 0 })
    expect(await showOrder(testContext, person, id)).toMatchObject({ actually_paid_cents: 400 })
  })
})

describe('an overpayment', () => {
  test('delivers the order, waits for an administrator, and is announced once', async () => {
    const { person, id } = await open()
    await pay(id, 'overpay', 25)
    expect(await purchases(person)).toEqual([500])
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'paid',
      amount_cents: 1000,
      actually_paid_cents: 1250,
    })
    expect(await listedSurplus(id)).toMatchObject({ surplus_cents: 250, surplus_credited_cents: 0 })
    expect(await paymentEmails(person)).toMatchObject([
      { locale: 'uk', status: 'overpaid', paid_cents: 1250, difference_cents: 250 },
    ])
    // It is not part of the order until it is credited.
    const quote = await quoteOf(testContext, person, id)
    expect(quote).toMatchObject({ paid_cents: 1250, amount_cents: 1000 })
  })

  test('by a second deposit after delivery waits as well', async () => {
    const { person, id } = await open()
    await pay(id, 'pay')
    expect(await listedSurplus(id)).toBeUndefined()
    await report(id, 1100)
    expect(await listedSurplus(id)).toMatchObject({ surplus_cents: 100 })
    expect(await paymentEmails(person)).toMatchObject([{ status: 'overpaid', difference_cents: 100 }])
  })

  test('is credited once at the price of the order, and is part of a refund', async () => {
    const { person, id } = await open()
    await pay(id, 'overpay', 25)
    const answers = await Promise.all([1, 2, 3].map(() => resolve(id, 'credit_surplus')))
    expect(answers.map(({ status, code }) => [status, code]).sort()).toEqual([
      [200, undefined],
      [409, 'order_has_no_surplus'],
      [409, 'order_has_no_surplus'],
    ])
    expect((await purchases(person)).sort()).toEqual([125, 500])
    expect(await listedSurplus(id)).toBeUndefined()
    const [, credited, ...others] = await paymentEmails(person)
    expect([credited, others]).toMatchObject([
      { status: 'surplus_credited', difference_cents: 250, credits: 125 },
      [],
    ])
    expect(await auditOf(id)).toMatchObject([
      { action: 'payment.resolve', after: { action: 'credit_surplus', credits: 125, surplus_cents: 250 } },
    ])
    expect(await quoteOf(testContext, person, id)).toMatchObject({
      ...{ paid_cents: 1250, amount_cents: 1250, credits_sold: 625, credits_returnable: 625 },
    })
    expect((await askRefund(testContext, person, id)).json).toMatchObject({ amount_cents: 1250 })
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'paid' })
  })

  test('of a plan is credited without expiry', async () => {
    const { person, id } = await open({ plan_id: plan.id, months: 3 })
    await pay(id, 'overpay', 10)
    // 405 of 4,050 cents buy 300 of 3,000 credits.
    await resolve(id, 'credit_surplus')
    const { entries } = await ledgerOf(testContext, person)
    expect(entries[0]).toMatchObject({ entry_type: 'purchase', amount: 300, expires_at: null, order_id: id })
    expect(await quoteOf(testContext, person, id)).toMatchObject({ amount_cents: 4455, credits_sold: 3300 })
  })

  test('that is paid back by hand no longer counts', async () => {
    const { person, id } = await open()
    await pay(id, 'overpay', 25)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const [first, again] = [
      await resolve(id, 'return_surplus', headers),
      await resolve(id, 'return_surplus', headers),
    ]
    expect(first.json).toMatchObject({ status: 'paid', surplus_cents: 0, refused_cents: 250 })
    expect(again.json).toEqual(first.json)
    expect((await resolve(id, 'credit_surplus')).code).toBe('order_has_no_surplus')
    expect(await purchases(person)).toEqual([500])
    expect(await paymentEmails(person)).toMatchObject([
      { status: 'overpaid' },
      { status: 'surplus_returned', difference_cents: 250, credits: null },
    ])
    expect(await auditOf(id)).toMatchObject([{ after: { action: 'return_surplus', surplus_cents: 250 } }])
    expect(await quoteOf(testContext, person, id)).toMatchObject({ amount_cents: 1000 })
  })

  test('below the price of one credit can only be paid back', async () => {
    const { person, id } = await open()
    await pay(id, 'pay')
    await report(id, 1001)
    expect((await resolve(id, 'credit_surplus')).code).toBe('payment_below_one_credit')
    expect(found(await listedSurplus(id)).surplus_cents).toBe(1)
    expect((await resolve(id, 'return_surplus')).status).toBe(200)
    expect(await purchases(person)).toEqual([500])
  })

  test('of a deleted account can only be paid back, because nobody can use its credits', async () => {
    const { person, id } = await open()
    await pay(id, 'pay')
    const body = { confirm: person.email, current_password: person.password, refund: 'waive' }
    expect((await call('DELETE', '/api/v1/auth/me', { token: person.token, body })).status).toBe(200)
    await report(id, 1250)
    expect(await listedSurplus(id)).toMatchObject({ surplus_cents: 250 })
    expect((await resolve(id, 'credit_surplus')).code).toBe('account_deleted')
    const sql = 'SELECT sum(amount) AS sum FROM ledger WHERE account_id = ?'
    expect(await query(testContext, sql, person.id)).toEqual([{ sum: 0 }])
    expect((await resolve(id, 'return_surplus')).json).toMatchObject({ surplus_cents: 0 })
  })

  test('is no underpayment to resolve, and a price that was paid exactly has none', async () => {
    const { id } = await open()
    await pay(id, 'pay')
    expect((await resolve(id, 'credit_surplus')).code).toBe('order_has_no_surplus')
    expect((await resolve(id, 'refuse')).code).toBe('order_not_partially_paid')
  })
})
