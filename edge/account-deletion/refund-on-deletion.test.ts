import { beforeAll, describe, expect, test } from 'vitest'
import { found } from '../../test/edge/worker/context.ts'
import { buy, decideRefund, sendCallbacks, showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import { buyInCrypto, DAILY, emailsAbout, passDays, refund, spend } from '../../test/edge/worker/refunds.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { renderQueued } from '../emails/render-queued.ts'

// No mail server is configured, so emails stay in the outbox.
const { buyPack, buyMonths, makeShop, sold, testContext } = openRefundDesk({ SMTP_PORT: '9' })
const { call } = testContext

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})

const remove = ({ email, password, token }: Person, body: object = {}, where = testContext) =>
  where.call('DELETE', '/api/v1/auth/me', {
    token,
    body: { confirm: email, current_password: password, ...body },
  })

const refundsOf = ({ id }: Person) =>
  query(testContext, 'SELECT * FROM refunds WHERE account_id = ? ORDER BY created_at', id)

const sumOf = async ({ id }: Person) =>
  (await query(testContext, 'SELECT sum(amount) AS sum FROM ledger WHERE account_id = ?', id))[0]?.sum

const listed = async (refund_id: string) =>
  (
    await call('GET', '/api/v1/admin/refunds?status=awaiting_payout&limit=500', { token: admin.token })
  ).json.find(({ id }) => id === refund_id)

describe('deleting an account with a refund due', () => {
  test('is a 409 that names the amount and the two ways on, and changes nothing', async () => {
    const { person, id } = await buyPack()
    const answer = await remove(person)
    expect([answer.status, answer.json]).toMatchObject([
      409,
      {
        ...{ code: 'refund_due', param: 'refund', choices: ['request', 'waive'] },
        ...{ amount_cents: 1000, currency: 'USD' },
        refunds: [
          { order_id: id, amount_cents: 1000, currency: 'USD', reason: 'withdrawal', payout_manual: false },
        ],
        detail: { code: 'refund_due', message: expect.stringMatching(/USD.10\.00/) },
      },
    ])
    expect((await call('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(200)
    const wrong = await remove(person, { current_password: 'wrong password' })
    expect(wrong.code).toBe('wrong_current_password')
  })

  test('refunds it in the same flow if asked to, and the outcome reaches its owner', async () => {
    const { person, id } = await buyPack()
    await spend(testContext, person, DAILY + 125)
    const { status, json } = await remove(person, { refund: 'request' })
    expect([status, json]).toMatchObject([
      200,
      {
        ...{ expired_credits: 0, expired_paid_credits: 0 },
        refunds: [{ order_id: id, status: 'requested', amount_cents: 750, credits_removed: 375 }],
      },
    ])
    expect(await sumOf(person)).toBe(0)
    await testContext.settled()
    expect((await showSandboxOrder(id)).refunds).toMatchObject([{ amount_cents: 750 }])
    expect(await refundsOf(person)).toMatchObject([{ status: 'processing', email: person.email }])
    await sendCallbacks(testContext, await decideRefund(id, 'approved'))
    expect(await refundsOf(person)).toMatchObject([{ status: 'succeeded', email: null }])
    const emails = await emailsAbout(testContext, json.refunds[0]?.id ?? '')
    expect(emails.map(({ to, content }) => [to, content.status]).sort()).toEqual([
      [person.email, 'acknowledged'],
      [person.email, 'succeeded'],
    ])
    expect(await query(testContext, 'SELECT status FROM orders WHERE id = ?', id)).toEqual([
      { status: 'partially_refunded' },
    ])
  })

  test('refunds several orders and undelivered months, and closes their term', async () => {
    const { person, id } = await buyMonths()
    const pack = await buy(testContext, person, { package_id: sold.pack.id })
    const due = await remove(person)
    expect(due.json).toMatchObject({ amount_cents: 5050, currency: 'USD' })
    const { json } = await remove(person, { refund: 'request' })
    expect(json.refunds.map(({ order_id, amount_cents }) => [order_id, amount_cents])).toEqual([
      [id, 4050],
      [pack, 1000],
    ])
    expect([json.expired_credits, json.expired_paid_credits, await sumOf(person)]).toEqual([DAILY, 0, 0])
    const [term] = await query(
      testContext,
      'SELECT ended_at FROM subscriptions WHERE account_id = ?',
      person.id,
    )
    expect(Number(term?.ended_at)).toBeGreaterThan(0)
    await testContext.settled()
    expect(await refundsOf(person)).toMatchObject([
      { status: 'processing', credits_removed: 1000, credits_withdrawn: 2000 },
      { status: 'processing', credits_removed: 500 },
    ])
  })

  test('gives it up if asked to', async () => {
    const { person } = await buyPack()
    const { status, json } = await remove(person, { refund: 'waive' })
    expect([status, json]).toMatchObject([200, { expired_paid_credits: 500, refunds: [] }])
    expect(await refundsOf(person)).toEqual([])
  })

  test('does not ask once nothing can be refunded', async () => {
    const { person } = await buyPack()
    await spend(testContext, person, DAILY + 500)
    expect((await remove(person)).status).toBe(200)
    const { person: other } = await buyPack()
    await passDays(testContext, other, 31)
    expect((await remove(other)).status).toBe(200)
  })

  test('asks about the statutory right while refunds are disabled', async () => {
    const shop = await makeShop({ refunds_enabled: false })
    const { person } = await buyPack()
    expect((await remove(person, {}, shop)).code).toBe('refund_due')
    await passDays(testContext, person, 19)
    expect((await remove(person, {}, shop)).status).toBe(200)
  })

  test('asked for many times at once refunds once', async () => {
    const { person, id } = await buyPack()
    const answers = await Promise.all([1, 2, 3].map(() => remove(person, { refund: 'request' })))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    await testContext.settled()
    expect((await showSandboxOrder(id)).refunds).toHaveLength(1)
  })

  test('leaves an open refund to its end', async () => {
    const { person, id } = await buyPack()
    await refund(testContext, person, id)
    expect((await remove(person)).status).toBe(200)
    await sendCallbacks(testContext, await decideRefund(id, 'approved'))
    expect(await refundsOf(person)).toMatchObject([{ status: 'succeeded', email: null }])
  })
})

describe('a refund of a deleted account', () => {
  test('that the provider refuses waits for an administrator, and returns no credits', async () => {
    const { person, id } = await buyPack()
    const refund_id = (await remove(person, { refund: 'request' })).json.refunds[0]?.id ?? ''
    await testContext.settled()
    await sendCallbacks(testContext, await decideRefund(id, 'rejected'))
    expect(await listed(refund_id)).toMatchObject({ status: 'awaiting_payout', email: person.email })
    expect(await sumOf(person)).toBe(0)
    const path = `/api/v1/admin/refunds/${refund_id}/reject` as const
    expect((await call('POST', path, { token: admin.token, body: { note: 'no bank account' } })).status).toBe(
      200,
    )
    expect(await refundsOf(person)).toMatchObject([{ status: 'rejected', email: null, credits_removed: 500 }])
    expect(await sumOf(person)).toBe(0)
    const emails = await emailsAbout(testContext, refund_id)
    const { content, to } = found(emails.find((email) => email.content.status === 'failed'))
    expect(to).toBe(person.email)
    const { text } = renderQueued(content, 'en', { url: 'https://media.example.com', support: '' })
    expect(text).toMatch(/cannot be returned/)
  })

  test('in crypto is paid out by hand', async () => {
    const person = await register(testContext)
    await buyInCrypto(testContext, person, { package_id: sold.pack.id })
    expect((await remove(person)).json).toMatchObject({
      code: 'refund_due',
      refunds: [{ payout_manual: true }],
    })
    const refund_id = (await remove(person, { refund: 'request' })).json.refunds[0]?.id ?? ''
    expect(await listed(refund_id)).toMatchObject({ status: 'awaiting_payout', email: person.email })
    const path = `/api/v1/admin/refunds/${refund_id}/approve` as const
    expect((await call('POST', path, { token: admin.token, body: { note: 'sent' } })).status).toBe(200)
    expect(await refundsOf(person)).toMatchObject([{ status: 'succeeded', email: null }])
    expect((await emailsAbout(testContext, refund_id)).map(({ to }) => to)).toEqual([
      person.email,
      person.email,
    ])
  })
})
