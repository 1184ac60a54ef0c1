import { beforeAll, describe, expect, test } from 'vitest'
import { buy } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import { buyInCrypto, emailsAbout, refund, settleRefund } from '../../test/edge/worker/refunds.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { renderQueued } from '../emails/render-queued.ts'

// No mail server is configured, so emails stay in the outbox.
const { buyPack, sold, testContext } = openRefundDesk({ SMTP_PORT: '9' })
const { call } = testContext

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})

describe('Purchase rule 10: the acknowledgement and the outcome are emailed to the account', () => {
  const contentsOf = async (id: string) =>
    (await emailsAbout(testContext, id)).map(({ content: { status, by_hand, amount_cents, credits } }) => [
      status,
      by_hand,
      amount_cents,
      credits,
    ])

  test.each([
    ['approved', 'succeeded'],
    ['rejected', 'failed'],
  ] as const)('%s by the provider', async (decision, outcome) => {
    const { person, id } = await buyPack()
    const { id: refund_id } = await refund(testContext, person, id)
    expect(await contentsOf(refund_id)).toEqual([['acknowledged', false, 1000, 500]])
    await settleRefund(testContext, id, decision)
    expect(await contentsOf(refund_id)).toEqual([
      ['acknowledged', false, 1000, 500],
      [outcome, false, 1000, 500],
    ])
  })

  test.each([
    [true, 'en', /no longer renews/],
    [false, 'en', /We email you when it is done/],
  ])('stating the end of renewal when there was one (%s)', async (renews, locale, sentence) => {
    const person = await register(testContext)
    const recurring = renews ? { auto_renew: true, accept_recurring: true } : {}
    const item = { plan_id: sold.plan.id, months: 3, provider: 'sandbox_card', ...recurring }
    const { id: refund_id } = await refund(testContext, person, await buy(testContext, person, item))
    const [{ content }] = await emailsAbout(testContext, refund_id)
    expect(content.ends_renewal).toBe(renews)
    const sender = { url: 'https://media.example.com', support: '' }
    const { text } = renderQueued(content, locale as 'en', sender)
    expect(text).toMatch(sentence)
    expect(/renew/.test(text)).toBe(renews)
  })

  test('by hand, counting months withdrawn before delivery', async () => {
    const person = await register(testContext)
    await query(testContext, "UPDATE accounts SET locale = 'ru' WHERE id = ?", person.id)
    const id = await buyInCrypto(testContext, person, {
      plan_id: sold.plan.id,
      months: 3,
      consent_locale: 'uk',
    })
    const { id: refund_id } = await refund(testContext, person, id)
    expect(await contentsOf(refund_id)).toEqual([['acknowledged', true, 4050, 3000]])
    const [email] = await emailsAbout(testContext, refund_id)
    expect([email.to, email.locale]).toEqual([person.email, 'ru'])
    await call('POST', `/api/v1/admin/refunds/${refund_id}/approve`, { token: admin.token, body: {} })
    expect((await contentsOf(refund_id)).map(([status]) => status)).toEqual(['acknowledged', 'succeeded'])
  })
})
