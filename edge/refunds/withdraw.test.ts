import { beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../test/edge/worker/context.ts'
import { found } from '../../test/edge/worker/context.ts'
import {
  actAtCheckout,
  buy,
  order,
  sendCallbacks,
  showOrder,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import {
  askRefund,
  DAILY,
  emailsAbout,
  monthsOf,
  passDays,
  quoteOf,
  refund,
  refundsOf,
  settleRefund,
  spend,
  termsOf,
} from '../../test/edge/worker/refunds.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { subscribe } from '../../test/edge/worker/terms.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { renderQueued } from '../emails/render-queued.ts'
import { confirmWithdrawal } from './withdraw.ts'

// No mail server is configured, so emails stay in the outbox.
const { buyPack, makeShop, balanceOf, sold, testContext } = openRefundDesk({ SMTP_PORT: '9' })
const { call } = testContext

type Bought = Awaited<ReturnType<typeof buyPack>>

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})

const state = (
  { token }: Person,
  id: string,
  where: TestContext = testContext,
  headers: Record<string, string> = {},
) => where.call('POST', `/api/v1/billing/payments/${id}/withdrawal`, { token, headers })
const confirm = (
  { token }: Person,
  id: string,
  where: TestContext = testContext,
  headers: Record<string, string> = {},
) => where.call('POST', `/api/v1/billing/withdrawals/${id}/confirm`, { token, headers })

describe('a withdrawal in two steps', () => {
  test('first returns the statement and the amount, without effects', async () => {
    const { person, id } = await buyPack()
    const { status, json } = await state(person, id)
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.any(String),
      order_id: id,
      statement: expect.stringContaining(`withdraw from my contract for Tried, order ${id}`),
      stated_at: expect.stringMatching(/^20/),
      quote: await quoteOf(testContext, person, id),
    })
    expect(json.statement).toContain(person.email)
    expect(await refundsOf(testContext, person)).toEqual([])
    expect(await balanceOf(person)).toBe(DAILY + 500)
  })

  test('then is confirmed: the refund starts, and an email contains its text, date and time', async () => {
    const person = await register(testContext)
    await query(testContext, "UPDATE accounts SET locale = 'uk' WHERE id = ?", person.id)
    const id = await buy(testContext, person, { package_id: sold.pack.id, provider: 'sandbox_card' })
    const stated = (await state(person, id)).json
    expect(stated.statement).toMatch(/відмовляюся від договору/)
    const before = Date.now()
    const { status, json } = await confirm(person, stated.id)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      order_id: id,
      status: 'requested',
      amount_cents: 1000,
      credits_removed: 500,
      reason: 'withdrawal',
      note: stated.statement,
    })
    expect(await balanceOf(person)).toBe(DAILY)
    const [email, ...others] = await emailsAbout(testContext, json.id)
    expect(others).toEqual([])
    expect(email).toMatchObject({
      to: person.email,
      locale: 'uk',
      content: { kind: 'refund', status: 'acknowledged', withdrawal: true, note: stated.statement },
    })
    expect(email.content.at).toBe(Date.parse(json.created_at))
    expect(email.content.at).toBeGreaterThanOrEqual(before)
    const sql = 'SELECT confirmed_at, refund_id FROM withdrawals WHERE id = ?'
    expect(await query(testContext, sql, stated.id)).toEqual([
      { confirmed_at: email.content.at, refund_id: json.id },
    ])
    await testContext.settled()
    await settleRefund(testContext, id, 'approved')
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
  })

  test('of months withdraws the future ones', async () => {
    const person = await register(testContext)
    const id = await buy(testContext, person, { plan_id: sold.plan.id, months: 3 })
    const { json } = await state(person, id)
    await confirm(person, json.id)
    const [first, ...others] = await monthsOf(testContext, person)
    expect(others.map(({ withdrawn_by }) => withdrawn_by)).toEqual([expect.any(String), expect.any(String)])
    expect(await termsOf(testContext, person)).toMatchObject([{ period_end: first?.ends_at }])
  })

  test('confirmed three times concurrently makes one refund, and each response reports it', async () => {
    const { person, id } = await buyPack()
    const { json } = await state(person, id)
    const answers = await Promise.all([1, 2, 3].map(() => confirm(person, json.id)))
    const [made, ...others] = await refundsOf(testContext, person)
    expect(others).toEqual([])
    expect(answers.map((answer) => [answer.status, answer.json.id])).toEqual(Array(3).fill([200, made?.id]))
    await testContext.settled()
    expect((await showSandboxOrder(id)).refunds).toHaveLength(1)
    await settleRefund(testContext, id, 'approved')
    const later = await confirm(person, json.id)
    expect([later.status, later.json]).toMatchObject([200, { id: made?.id, status: 'succeeded' }])
    expect(await emailsAbout(testContext, found(made).id)).toHaveLength(2)
  })

  test('confirmed again after its refund failed is a 409 and must be stated again', async () => {
    const { person, id } = await buyPack()
    const { json } = await state(person, id)
    expect((await confirm(person, json.id)).status).toBe(200)
    await testContext.settled()
    await settleRefund(testContext, id, 'rejected')
    const again = await confirm(person, json.id)
    expect([again.status, again.json.code]).toEqual([409, 'already_confirmed'])
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'failed', credits_removed: 0 }])
    expect((await confirm(person, (await state(person, id)).json.id)).status).toBe(200)
  })

  test("confirmed while another confirmation's refund fails is that 409 as well", async () => {
    const { person, id } = await buyPack()
    const { json } = await state(person, id)
    let concurrent: Promise<void> | undefined
    const confirmAndFail = async () => {
      expect((await confirm(person, json.id)).status).toBe(200)
      await testContext.settled()
      await settleRefund(testContext, id, 'rejected')
    }
    // The statement is read before the concurrent refund, and the refund facts are read after it.
    const db = new Proxy(testContext.deps.db, {
      get: (target, name) =>
        name === 'batch'
          ? async (statements: Parameters<typeof target.batch>[0]) => {
              concurrent ??= confirmAndFail()
              await concurrent
              return target.batch(statements)
            }
          : Reflect.get(target, name),
    })
    const account = { id: person.id, email: person.email } as SessionCaller['account']
    const caller = { kind: 'session', account, session_id: '', epoch: 1, signed_in_at: 0 } as const
    const late = confirmWithdrawal({ ...testContext.deps, db }, caller, json.id, () => [])
    await expect(late).rejects.toMatchObject({ code: 'already_confirmed' })
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'failed' }])
  })

  test('each step repeated with its key gets the first response', async () => {
    const { person, id } = await buyPack()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const stated = await state(person, id, testContext, headers)
    expect((await state(person, id, testContext, headers)).json).toEqual(stated.json)
    const again = { 'idempotency-key': crypto.randomUUID() }
    const confirmed = await confirm(person, stated.json.id, testContext, again)
    expect((await confirm(person, stated.json.id, testContext, again)).json).toEqual(confirmed.json)
    expect(confirmed.status).toBe(200)
  })

  test("confirmed concurrently under several keys gets each key's own first response", async () => {
    const { person, id } = await buyPack()
    const stated = await state(person, id)
    const keys = Array.from({ length: 4 }, () => ({ 'idempotency-key': crypto.randomUUID() }))
    const confirmAll = () => Promise.all(keys.map((key) => confirm(person, stated.json.id, testContext, key)))
    const [first, again] = [await confirmAll(), await confirmAll()]
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(again.map(({ json }) => json)).toEqual(first.map(({ json }) => json))
    expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(Array(4).fill('true'))
    expect(await refundsOf(testContext, person)).toHaveLength(1)
  })

  test('is a 409 window_closed after 14 days in either step, while the refund policy still applies', async () => {
    const { person, id } = await buyPack()
    const { json } = await state(person, id)
    await passDays(testContext, person, 19)
    for (const answer of [await state(person, id), await confirm(person, json.id)]) {
      expect([answer.status, answer.json.code]).toEqual([409, 'window_closed'])
    }
    expect(await refundsOf(testContext, person)).toEqual([])
    expect((await askRefund(testContext, person, id)).json).toMatchObject({
      reason: 'policy',
      amount_cents: 1000,
    })
  })

  test('is a 409 not_settled for an unpaid order', async () => {
    const person = await register(testContext)
    const answer = await state(person, await order(testContext, person, { package_id: sold.pack.id }))
    expect([answer.status, answer.json.code]).toEqual([409, 'not_settled'])
  })

  test('is possible while refunds are disabled, which closes only the policy refund', async () => {
    const { person, id } = await buyPack()
    const shop = await makeShop({ refunds_enabled: false })
    expect((await askRefund(shop, person, id)).code).toBe('refunds_disabled')
    const stated = await state(person, id, shop)
    expect([stated.status, stated.json.quote]).toMatchObject([201, { eligible: true, amount_cents: 1000 }])
    const confirmed = await confirm(person, stated.json.id, shop)
    expect([confirmed.status, confirmed.json]).toMatchObject([
      200,
      { reason: 'withdrawal', amount_cents: 1000 },
    ])
  })

  test.each([
    ['spent', 'nothing_left', ({ person }: Bought) => spend(testContext, person, DAILY + 500)],
    ['being refunded', 'already_open', ({ person, id }: Bought) => refund(testContext, person, id)],
    [
      'refunded',
      'fully_refunded',
      async ({ person, id }: Bought) => {
        await refund(testContext, person, id)
        await settleRefund(testContext, id, 'approved')
      },
    ],
  ])('is accepted for an order that is %s, with the amount 0', async (_name, blocked, prepare) => {
    const bought = await buyPack()
    const { person, id } = bought
    await prepare(bought)
    const before = await showOrder(testContext, person, id)
    const stated = await state(person, id)
    expect([stated.status, stated.json.quote]).toMatchObject([201, { blocked, amount_cents: 0 }])
    const answers = await Promise.all([1, 2, 3].map(() => confirm(person, stated.json.id)))
    for (const { status, json } of answers) {
      expect([status, json]).toMatchObject([
        200,
        {
          id: answers[0]?.json.id,
          status: 'succeeded',
          amount_cents: 0,
          reason: 'withdrawal',
          note: stated.json.statement,
        },
      ])
    }
    expect(await showOrder(testContext, person, id)).toEqual(before)
    const [email, ...others] = await emailsAbout(testContext, answers[0]?.json.id ?? '')
    expect([email.to, others]).toEqual([person.email, []])
    expect(email.content).toMatchObject({
      status: 'acknowledged',
      amount_cents: 0,
      note: stated.json.statement,
    })
    const { text } = renderQueued(email.content, 'en', { url: 'https://media.example.com', support: '' })
    expect(text).toContain('nothing to pay back')
  })

  test('takes no credits that came back while another refund is open', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: sold.pack.id, provider: 'sandbox_crypto' })
    await sendCallbacks(testContext, await actAtCheckout(id, 'overpay', 20))
    await refund(testContext, person, id)
    const path = `/api/v1/billing/admin/payments/${id}/resolve` as const
    const body = { action: 'credit_surplus' }
    expect((await call('POST', path, { token: admin.token, body })).status).toBe(200)
    expect(await balanceOf(person)).toBe(DAILY + 100)
    const { json } = await confirm(person, (await state(person, id)).json.id)
    expect(json).toMatchObject({ amount_cents: 0, credits_removed: 0, status: 'succeeded' })
    expect(await balanceOf(person)).toBe(DAILY + 100)
  })

  test('from a spent month ends its renewal', async () => {
    const person = await register(testContext)
    const id = await subscribe(testContext, person, sold.plan.id)
    await spend(testContext, person, DAILY + 1000)
    await confirm(person, (await state(person, id)).json.id)
    expect(await termsOf(testContext, person)).toMatchObject([{ renewal_status: 'cancelling' }])
  })

  test('is a 404 for an order or a statement of another account, which nobody else can confirm', async () => {
    const { person, id } = await buyPack()
    const stranger = await register(testContext)
    const { json } = await state(person, id)
    const answers = [await state(stranger, id), await confirm(stranger, json.id), await confirm(person, 'no')]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await refundsOf(testContext, person)).toEqual([])
  })
})
