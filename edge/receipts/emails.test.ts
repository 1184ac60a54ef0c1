import { expect, test } from 'vitest'
import { found } from '../../test/edge/worker/context.ts'
import type { Person } from '../../test/edge/worker/people.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import { emailsAbout, refund, refundsOf, settleRefund } from '../../test/edge/worker/refunds.ts'
import { emailsTo } from '../../test/edge/worker/terms.ts'
import { renderQueued } from '../emails/render-queued.ts'

// The mail server is unreachable, so emails stay in the outbox.
const { testContext, buyPack } = openRefundDesk({ SMTP_PORT: '9' })
const { call, deps } = testContext

const textOf = ({ content }: { content: Parameters<typeof renderQueued>[0] }) =>
  renderQueued(content, 'en', { url: deps.env.PUBLIC_URL, support: '' }).text

async function receiptOf({ token }: Person): Promise<string> {
  const [order] = (await call('GET', '/api/v1/billing/payments', { token })).json
  return found(order?.receipt_url ?? undefined)
}

test('the confirmation of an order links its receipt', async () => {
  const { person } = await buyPack()
  const [email, ...others] = await emailsTo(testContext, person)
  expect([email?.content.kind, others]).toEqual(['order', []])
  expect(textOf(found(email))).toContain(await receiptOf(person))
})

test('the email about a refund that was paid links its credit note', async () => {
  const { person, id } = await buyPack()
  const { id: refundId } = await refund(testContext, person, id)
  await settleRefund(testContext, id, 'approved')
  const [row] = await refundsOf(testContext, person)
  const [asked, paid] = await emailsAbout(testContext, refundId)
  expect(textOf(paid)).toContain(found(row?.credit_note_url ?? undefined))
  expect(textOf(asked)).not.toContain('/billing/receipts/')
})

test('the email about a refund that was rejected links none', async () => {
  const { person, id } = await buyPack()
  const { id: refundId } = await refund(testContext, person, id)
  await settleRefund(testContext, id, 'rejected')
  const [, failed] = await emailsAbout(testContext, refundId)
  expect(failed).toMatchObject({ content: { status: 'failed', credit_note_token: null } })
  expect(textOf(failed)).not.toContain('/billing/receipts/')
})
