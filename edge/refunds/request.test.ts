import { describe, expect, test } from 'vitest'
import { found, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import { decideRefund, order, showOrder, showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { register, submit } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import {
  askRefund,
  buyInCrypto,
  DAILY,
  entriesOf,
  monthsOf,
  passDays,
  quoteOf,
  refund,
  refundsOf,
  settleRefund,
  spend,
  termsOf,
} from '../../test/edge/worker/refunds.ts'
import { FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { DAY_MS, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { payRefund, pollRefunds } from './pay-out.ts'
import { withdrawalDeadline } from './rules/withdrawal-deadline.ts'

const { buyMonths, buyPack, makeShop, balanceOf, sold, testContext } = openRefundDesk()
const { call } = testContext

describe('a refund quote', () => {
  test('is blocked as not_settled for an unpaid order', async () => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: sold.pack.id })
    expect(await quoteOf(testContext, person, id)).toEqual({
      order_id: id,
      currency: 'USD',
      amount_cents: 0,
      paid_cents: 0,
      already_refunded_cents: 0,
      credits_sold: 0,
      credits_returnable: 0,
      credits_spent: 0,
      reason: 'policy',
      deadline: null,
      withdrawal_deadline: null,
      blocked: 'not_settled',
      eligible: false,
      payout_manual: false,
      open_refund_id: null,
    })
  })

  test('of an unspent pack is the full amount, with the dates from the settings', async () => {
    const { person, id } = await buyPack()
    const { credited_at } = found(await showOrder(testContext, person, id))
    const rightEnds = (days: number) => new Date(withdrawalDeadline(timeOf(credited_at), days)).toISOString()
    const daysLater = (days: number) => new Date(timeOf(credited_at) + days * DAY_MS).toISOString()
    expect(await quoteOf(testContext, person, id)).toMatchObject({
      amount_cents: 1000,
      paid_cents: 1000,
      credits_sold: 500,
      credits_returnable: 500,
      credits_spent: 0,
      reason: 'withdrawal',
      withdrawal_deadline: rightEnds(14),
      deadline: daysLater(30),
      blocked: '',
      eligible: true,
    })
    const shop = await makeShop({ withdrawal_days: 20, refund_policy_days: 10 })
    expect(await quoteOf(shop, person, id)).toMatchObject({
      withdrawal_deadline: rightEnds(20),
      deadline: rightEnds(20),
    })
  })

  test('Purchase rule 9: soonest-expiring credits are spent first, so the daily credits go before the pack', async () => {
    const { person, id } = await buyPack()
    await spend(testContext, person, DAILY)
    expect(await quoteOf(testContext, person, id)).toMatchObject({ credits_spent: 0, amount_cents: 1000 })
    await spend(testContext, person, 125)
    expect(await quoteOf(testContext, person, id)).toMatchObject({
      credits_spent: 125,
      credits_returnable: 375,
      amount_cents: 750,
    })
  })

  test('Purchase rule 9: each half of a bundle is refunded at its own price', async () => {
    const { person, id } = await buyMonths({ package_id: sold.pack.id })
    expect(await quoteOf(testContext, person, id)).toMatchObject({
      amount_cents: 4050 + 900,
      credits_sold: 3500,
    })
    await spend(testContext, person, DAILY + 1000 + 100)
    expect(await quoteOf(testContext, person, id)).toMatchObject({
      credits_spent: 1100,
      credits_returnable: 2400,
      amount_cents: Math.round((4050 * 2) / 3) + Math.round((900 * 400) / 500),
    })
  })

  test('Purchase rule 9: expired credits are not refunded, future months are', async () => {
    const { person, id } = await buyMonths()
    await spend(testContext, person, DAILY + 600)
    const shop = await makeShop({ refund_policy_days: 60 })
    await passDays(testContext, person, 31)
    expect(await quoteOf(shop, person, id)).toMatchObject({
      credits_spent: 600,
      credits_returnable: 2000,
      amount_cents: 2700,
      reason: 'policy',
    })
  })

  test.each([
    [13, { reason: 'withdrawal', blocked: '', amount_cents: 1000, eligible: true }],
    // The withdrawal period may end up to three days later, after a weekend and in the last time zone.
    [18, { reason: 'policy', blocked: '', amount_cents: 1000, eligible: true }],
    [29, { reason: 'policy', blocked: '', amount_cents: 1000, eligible: true }],
    [31, { reason: 'policy', blocked: 'window_closed', amount_cents: 0, eligible: false }],
  ])('after %i days follows the refund windows', async (days, expected) => {
    const { person, id } = await buyPack()
    await passDays(testContext, person, days)
    expect(await quoteOf(testContext, person, id)).toMatchObject(expected)
  })

  test('of a crypto order is a manual payout', async () => {
    const person = await register(testContext)
    const id = await buyInCrypto(testContext, person, { package_id: sold.pack.id })
    expect(await quoteOf(testContext, person, id)).toMatchObject({ payout_manual: true, eligible: true })
  })

  test('is a 404 for an unknown order or one of another account', async () => {
    const { id } = await buyPack()
    const { token } = await register(testContext)
    for (const order_id of [id, 'O-NONE']) {
      const quote = await call('GET', `/api/v1/billing/payments/${order_id}/refund-quote`, { token })
      const answer = await call('POST', `/api/v1/billing/payments/${order_id}/refund`, { token, body: {} })
      expect([quote.status, answer.status]).toEqual([404, 404])
    }
  })
})

describe('Purchase rule 9: a refund of a card order', () => {
  test.each([
    ['no reason on an unverified account', null, null],
    ['the reason on a verified account', 1, 'changed my mind'],
  ])('is acknowledged by an email that contains %s', async (_what, verified_at, note) => {
    const { person, id } = await buyPack()
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE accounts SET email_verified_at = ? WHERE id = ?',
      args: [verified_at, person.id],
    })
    const unmailed = makeTestContext({ SMTP_PORT: '9' })
    const answer = await askRefund(unmailed, person, id, { body: { note: 'changed my mind' } })
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT payload FROM outbox WHERE id = ?',
      args: [`mail:refund:${answer.json.id}:acknowledged`],
    })
    expect(JSON.parse(String(rows[0]?.payload)).content).toMatchObject({ kind: 'refund', note })
  })

  test('removes the credits at once, requests the payout, and ends when the provider confirms it', async () => {
    const { person, id } = await buyPack()
    const answer = await askRefund(testContext, person, id, { body: { note: 'changed my mind' } })
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: expect.any(String),
        order_id: id,
        status: 'requested',
        amount_cents: 1000,
        currency: 'USD',
        credits_removed: 500,
        reason: 'withdrawal',
        note: 'changed my mind',
        created_at: expect.stringMatching(/^20/),
        finished_at: null,
        credit_note_number: null,
        credit_note_url: null,
      },
    ])
    expect(await balanceOf(person)).toBe(DAILY)
    await testContext.settled()
    expect(await refundsOf(testContext, person)).toMatchObject([{ id: answer.json.id, status: 'processing' }])
    expect(await quoteOf(testContext, person, id)).toMatchObject({
      blocked: 'already_open',
      open_refund_id: answer.json.id,
      amount_cents: 0,
    })
    expect((await showSandboxOrder(id)).refunds).toMatchObject([
      { amount_cents: 1000, status: 'pending_approval' },
    ])
    await settleRefund(testContext, id, 'approved')
    expect(await refundsOf(testContext, person)).toMatchObject([
      { status: 'succeeded', finished_at: expect.any(String) },
    ])
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    expect(await entriesOf(testContext, person, id)).toEqual([
      ['purchase', 500],
      ['adjust', -500],
    ])
    expect(await quoteOf(testContext, person, id)).toMatchObject({
      blocked: 'fully_refunded',
      already_refunded_cents: 1000,
      open_refund_id: null,
    })
  })

  test('excludes spent credits, which are neither refunded nor clawed back', async () => {
    const { person, id } = await buyPack()
    await spend(testContext, person, DAILY + 200)
    expect(await refund(testContext, person, id)).toMatchObject({ amount_cents: 600, credits_removed: 300 })
    await settleRefund(testContext, id, 'approved')
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'partially_refunded' })
    expect(await balanceOf(person)).toBe(0)
    expect(await quoteOf(testContext, person, id)).toMatchObject({ blocked: 'nothing_left' })
  })

  test('can be followed by a second one for credits that a failed job returned, never above the amount paid', async () => {
    const { person, id } = await buyPack()
    await spend(testContext, person, DAILY)
    const job = await submit(testContext, person)
    expect(await refund(testContext, person, id)).toMatchObject({ amount_cents: 996, credits_removed: 498 })
    await settleRefund(testContext, id, 'approved')
    await report(testContext, finished(job, FAILED))
    expect(await refund(testContext, person, id)).toMatchObject({ amount_cents: 4, credits_removed: 2 })
    await settleRefund(testContext, id, 'approved')
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    expect(await balanceOf(person)).toBe(0)
    const { refunds } = await showSandboxOrder(id)
    expect(refunds.map(({ amount_cents }) => amount_cents)).toEqual([996, 4])
  })

  test('that the provider rejects restores credits and months', async () => {
    const { person, id } = await buyMonths({ package_id: sold.pack.id })
    const [term] = await termsOf(testContext, person)
    const months = await monthsOf(testContext, person)
    expect(await refund(testContext, person, id)).toMatchObject({ amount_cents: 4950, credits_removed: 1500 })
    expect(await balanceOf(person)).toBe(DAILY)
    await settleRefund(testContext, id, 'rejected')
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'failed' }])
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'paid' })
    expect(await balanceOf(person)).toBe(DAILY + 1500)
    expect(await monthsOf(testContext, person)).toEqual(months)
    expect(await termsOf(testContext, person)).toMatchObject([
      { period_end: term?.period_end, ended_at: null },
    ])
    expect(await quoteOf(testContext, person, id)).toMatchObject({ blocked: '', amount_cents: 4950 })
    await passDays(testContext, person, 31)
    expect(await balanceOf(person)).toBe(1500)
  })

  test('that the provider refuses permanently restores them as well', async () => {
    const { person, id } = await buyPack()
    const [payment] = (await showSandboxOrder(id)).payments
    const card = testContext.deps.payments.find(({ name }) => name === 'sandbox_card')
    // The payment is refunded directly at the provider, so nothing is left to refund.
    await card?.refund({
      refund_id: 'by-hand',
      order_id: id,
      reference: payment?.reference ?? '',
      amount_cents: 1000,
      whole: true,
      currency: 'USD',
      reason: 'by hand',
    })
    await settleRefund(testContext, id, 'approved')
    await refund(testContext, person, id)
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'failed' }])
    expect(await balanceOf(person)).toBe(DAILY + 500)
  })

  test('is requested until the provider responds, and paid once despite repeated requests', async () => {
    const { person, id } = await buyPack()
    const lost = makeTestContext({ SMTP_HOST: undefined, PAYMENT_SANDBOX_URL: 'http://127.0.0.1:9' })
    const { json } = await askRefund(lost, person, id)
    await lost.settled().catch(() => undefined)
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'requested' }])
    const waiting = await query(testContext, 'SELECT kind FROM outbox WHERE id = ?', `refund:${json.id}`)
    expect(waiting).toEqual([{ kind: 'refund' }])
    await Promise.all([payRefund(testContext.deps, json.id), payRefund(testContext.deps, json.id)])
    await payRefund(testContext.deps, json.id)
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'processing' }])
    expect((await showSandboxOrder(id)).refunds).toHaveLength(1)
  })

  test('whose provider was removed before the request waits for an administrator, who pays or rejects it', async () => {
    const { person, id } = await buyPack()
    const lost = makeTestContext({ SMTP_HOST: undefined, PAYMENT_SANDBOX_URL: 'http://127.0.0.1:9' })
    const { json } = await askRefund(lost, person, id)
    await lost.settled().catch(() => undefined)
    const gone = makeTestContext({
      SMTP_HOST: undefined,
      PAYMENT_SANDBOX_URL: undefined,
      PAYMENT_SANDBOX_SECRET: undefined,
    })
    const effect = { id: `refund:${json.id}`, kind: 'refund' as const, payload: { refund_id: json.id } }
    await Promise.all([sendEffects(gone.deps, [effect]), sendEffects(gone.deps, [effect])])
    expect(await refundsOf(testContext, person)).toMatchObject([
      { status: 'awaiting_payout', finished_at: null },
    ])
    expect(await query(testContext, 'SELECT id FROM outbox WHERE id = ?', effect.id)).toEqual([])
    expect(await balanceOf(person)).toBe(DAILY)
    const admin = await registerAdministrator(testContext)
    const path = `/api/v1/admin/refunds/${json.id}/reject`
    const { status } = await call('POST', path, { token: admin.token, body: {} })
    expect(status).toBe(200)
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'rejected' }])
    expect(await balanceOf(person)).toBe(DAILY + 500)
  })

  test('is settled by polling when the provider sends no event', async () => {
    const { person, id } = await buyPack()
    const { id: refund_id } = await refund(testContext, person, id)
    await decideRefund(id, 'approved')
    await query(testContext, 'UPDATE refunds SET next_poll_at = NULL WHERE id <> ?', refund_id)
    await query(testContext, 'UPDATE refunds SET next_poll_at = 1 WHERE id = ?', refund_id)
    await Promise.all([pollRefunds(testContext.deps), pollRefunds(testContext.deps)])
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'succeeded' }])
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
  })
})

describe('Purchase rule 9: a retried request never pays twice', () => {
  test('repeated with its key it gets the first response', async () => {
    const { person, id } = await buyPack()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const [first, second] = [
      await askRefund(testContext, person, id, { headers }),
      await askRefund(testContext, person, id, { headers }),
    ]
    expect(second.json).toEqual(first.json)
    expect(await refundsOf(testContext, person)).toHaveLength(1)
  })

  test('one of five concurrent requests is accepted, the others are already_open', async () => {
    const { person, id } = await buyPack()
    const answers = await Promise.all(Array.from({ length: 5 }, () => askRefund(testContext, person, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const codes = answers.flatMap(({ status, json }) => (status === 409 ? [json.code] : []))
    expect(new Set(codes)).toEqual(new Set(['already_open']))
    expect(await balanceOf(person)).toBe(DAILY)
    await testContext.settled()
    expect((await showSandboxOrder(id)).refunds).toHaveLength(1)
  })

  test('concurrent with job charges, each credit is either spent or refunded', async () => {
    const { person, id } = await buyPack()
    await spend(testContext, person, DAILY)
    const [answer] = await Promise.all([
      askRefund(testContext, person, id),
      ...Array.from({ length: 12 }, () => spend(testContext, person, 20).catch(() => undefined)),
    ])
    const { credits_removed, amount_cents } = answer.json
    expect(amount_cents).toBe(credits_removed * 2)
    expect(credits_removed % 20).toBe(0)
    expect(await quoteOf(testContext, person, id)).toMatchObject({ credits_spent: 500 - credits_removed })
    expect(await balanceOf(person)).toBe(0)
  })
})
