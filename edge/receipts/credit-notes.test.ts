import { beforeAll, expect, test } from 'vitest'
import { found } from '../../test/edge/worker/context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import { buyInCrypto, refund, refundsOf, settleRefund } from '../../test/edge/worker/refunds.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'

const { testContext, sold, buyPack } = openRefundDesk()
const { call } = testContext

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})

test('the approval of a payout by hand answers with the credit note', async () => {
  const person = await register(testContext)
  const id = await buyInCrypto(testContext, person, { package_id: sold.pack.id })
  const { id: refundId } = await refund(testContext, person, id)
  const path = `/api/v1/admin/refunds/${refundId}/approve` as const
  const { json } = await call('POST', path, { token: admin.token, body: {} })
  const [row] = await refundsOf(testContext, person)
  expect(json.credit_note_number).toMatch(/^C-/)
  expect(json).toEqual(found(row))
})

test('a withdrawal that is confirmed again answers with the credit note', async () => {
  const { person, id } = await buyPack()
  const { token } = person
  const stated = await call('POST', `/api/v1/billing/payments/${id}/withdrawal`, { token, body: {} })
  const path = `/api/v1/billing/withdrawals/${stated.json.id}/confirm` as const
  expect((await call('POST', path, { token })).json).toMatchObject({ credit_note_number: null })
  await testContext.settled()
  await settleRefund(testContext, id, 'approved')
  const again = await call('POST', path, { token })
  expect(again.json).toMatchObject({ status: 'succeeded', credit_note_number: expect.stringMatching(/^C-/) })
})
