import { beforeAll, describe, expect, test } from 'vitest'
import { found } from '../../test/edge/worker/context.ts'
import { showOrder } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import {
  buyInCrypto,
  DAILY,
  entriesOf,
  monthsOf,
  quoteOf,
  refund,
  refundsOf,
  termsOf,
} from '../../test/edge/worker/refunds.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'

// No mail server is configured, so emails stay in the outbox.
const { buyPack, balanceOf, sold, testContext } = openRefundDesk({ SMTP_PORT: '9' })
const { call } = testContext

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})

describe('Purchase rule 9: the manual payout of a crypto order', () => {
  const decide = (decision: 'approve' | 'reject', id: string, body: object = {}, { token } = admin) =>
    call('POST', `/api/v1/admin/refunds/${id}/${decision}`, { token, body })
  const auditOf = async (id: string) =>
    (await call('GET', `/api/v1/admin/audit?target=refund:${id}`, { token: admin.token })).json

  async function askPayout(item: object = { package_id: sold.pack.id }) {
    const person = await register(testContext)
    const id = await buyInCrypto(testContext, person, item)
    return { person, id, requested: await refund(testContext, person, id) }
  }

  test('removes the credits at once, and an administrator records the payment', async () => {
    const { person, id, requested } = await askPayout()
    expect(requested).toMatchObject({ status: 'awaiting_payout', amount_cents: 1000, credits_removed: 500 })
    expect(await balanceOf(person)).toBe(DAILY)
    const list = `/api/v1/admin/refunds?status=awaiting_payout&limit=1`
    expect((await call('GET', list, { token: admin.token })).json).toEqual([
      { ...requested, account_id: person.id, email: person.email },
    ])
    const { status, json } = await decide('approve', requested.id, { note: 'sent as 0xabc' })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      status: 'succeeded',
      note: 'sent as 0xabc',
      finished_at: expect.any(String),
    })
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'refunded' })
    expect(await entriesOf(testContext, person, id)).toEqual([
      ['purchase', 500],
      ['adjust', -500],
    ])
    expect(await auditOf(requested.id)).toMatchObject([
      { administrator_id: admin.id, action: 'refund.approve', after: { status: 'succeeded' } },
    ])
  })

  test('can be rejected, which restores credits and months', async () => {
    const item = { plan_id: sold.plan.id, months: 3, package_id: sold.pack.id }
    const { person, id, requested } = await askPayout(item)
    const { status, json } = await decide('reject', requested.id, { note: 'the address is wrong' })
    expect([status, json]).toMatchObject([200, { status: 'rejected', credits_removed: 0 }])
    expect(await refundsOf(testContext, person)).toEqual([json])
    expect(await balanceOf(person)).toBe(DAILY + 1500)
    const months = await monthsOf(testContext, person)
    expect(months.map(({ withdrawn_by }) => withdrawn_by)).toEqual([null, null, null])
    expect(await termsOf(testContext, person)).toMatchObject([{ period_end: months[2]?.ends_at }])
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'paid' })
    expect(await quoteOf(testContext, person, id)).toMatchObject({ blocked: '', open_refund_id: null })
    expect(await entriesOf(testContext, person, id)).toHaveLength(4)
    expect(await auditOf(requested.id)).toMatchObject([{ action: 'refund.reject' }])
  })

  test('is decided once by five disagreeing administrators concurrently', async () => {
    const { person, id, requested } = await askPayout()
    const decisions = ['approve', 'reject', 'approve', 'reject', 'approve'] as const
    const answers = await Promise.all(decisions.map((decision) => decide(decision, requested.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const { status } = found(answers.find((answer) => answer.status === 200)).json
    expect(await refundsOf(testContext, person)).toMatchObject([{ status }])
    expect(await balanceOf(person)).toBe(status === 'succeeded' ? DAILY : DAILY + 500)
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: status === 'succeeded' ? 'refunded' : 'paid',
    })
    expect(await auditOf(requested.id)).toHaveLength(1)
  })

  test('is a 409 for a refund that its provider pays, and a 404 for an unknown one', async () => {
    const { person, id } = await buyPack()
    const { id: refund_id } = await refund(testContext, person, id)
    for (const decision of ['approve', 'reject'] as const) {
      const answer = await decide(decision, refund_id)
      expect([answer.status, answer.code]).toEqual([409, 'refund_not_awaiting_payout'])
      expect((await decide(decision, 'no')).status).toBe(404)
    }
    expect(await auditOf(refund_id)).toEqual([])
  })

  test('is only for administrators', async () => {
    const { person, requested } = await askPayout()
    for (const decision of ['approve', 'reject'] as const) {
      expect((await decide(decision, requested.id, {}, person)).status).toBe(403)
    }
    expect((await call('GET', '/api/v1/admin/refunds', { token: person.token })).status).toBe(403)
  })
})
