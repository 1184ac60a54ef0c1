import { beforeAll, describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { order, showOrder } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { askRefund, refundsOf } from '../../test/edge/worker/refunds.ts'
import { listPackage, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { emailsTo } from '../../test/edge/worker/terms.ts'
import { handlePayment } from '../orders/handle-payment.ts'
import type { PaymentEvent } from '../payments/provider.ts'

// The mail server is unreachable, so emails stay in the outbox.
const testContext = makeTestContext({ SMTP_PORT: '9' })
const { call, open, deps } = testContext

let admin: Person
let pack: { id: number }
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
  // 500 credits for 1,000 cents.
  pack = await listPackage(testContext, { price_cents: 1000 })
})

async function openOrder() {
  const person = await register(testContext)
  return {
    person,
    id: await order(testContext, person, { package_id: pack.id, provider: 'sandbox_crypto' }),
  }
}

/** Reports that this much has arrived for an order in total. */
async function report(id: string, paid_cents: number): Promise<void> {
  const [row] = await query(testContext, 'SELECT provider_reference FROM orders WHERE id = ?', id)
  const reported: PaymentEvent = {
    kind: 'payment',
    state: 'paid',
    order_id: id,
    reference: String(row?.provider_reference),
    ...{ paid_cents, currency: 'USD', charged: null, mandate: null },
  }
  const event = { id: crypto.randomUUID(), occurred_at: Date.now() }
  await handlePayment(deps, { name: 'sandbox_crypto', kind: 'crypto' }, reported, event)
}

const resolve = (id: string, action: string) =>
  call('POST', `/api/v1/billing/admin/payments/${id}/resolve`, { token: admin.token, body: { action } })

/** Lists the amounts of the receipts of an order, the first one first, and of its credit notes. */
async function amountsOf(id: string): Promise<{ receipts: number[]; credit_notes: number[] }> {
  const sql = `SELECT refund_id, content ->> 'amount_cents' AS cents FROM receipts WHERE order_id = ? ORDER BY earlier_cents`
  const rows = await query(testContext, sql, id)
  const centsOf = (isNote: boolean) =>
    rows.filter(({ refund_id }) => (refund_id !== null) === isNote).map(({ cents }) => Number(cents))
  return { receipts: centsOf(false), credit_notes: centsOf(true) }
}

const read = async (url: string | null | undefined) => (await open('GET', new URL(url ?? '').pathname)).text()

async function payBack(person: Person, id: string) {
  const { json } = await askRefund(testContext, person, id)
  const path = `/api/v1/admin/refunds/${json.id}/approve` as const
  expect((await call('POST', path, { token: admin.token, body: {} })).status).toBe(200)
}

describe('a surplus', () => {
  test('that is credited has one receipt of its own, which names the first one', async () => {
    const { person, id } = await openOrder()
    await report(id, 1250)
    expect(await amountsOf(id)).toEqual({ receipts: [1000], credit_notes: [] })
    const answers = await Promise.all([1, 2, 3].map(() => resolve(id, 'credit_surplus')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await amountsOf(id)).toEqual({ receipts: [1000, 250], credit_notes: [] })
    const row = found(await showOrder(testContext, person, id))
    expect(row.further_receipts).toHaveLength(1)
    const further = found(row.further_receipts[0])
    expect(further.receipt_number).not.toBe(row.receipt_number)
    const page = await read(further.receipt_url)
    for (const part of [further.receipt_number, row.receipt_number, 'USD\u00a02.50', '125', person.email]) {
      expect(page).toContain(part)
    }
    expect(await read(row.receipt_url)).not.toContain(further.receipt_number)
    const email = (await emailsTo(testContext, person)).find(
      ({ content }) => content.status === 'surplus_credited',
    )
    expect(further.receipt_url).toContain(email.content.receipt_token)
  })

  test('that is credited twice has two', async () => {
    const { id } = await openOrder()
    for (const total of [1250, 1300]) {
      await report(id, total)
      await resolve(id, 'credit_surplus')
    }
    expect(await amountsOf(id)).toEqual({ receipts: [1000, 250, 50], credit_notes: [] })
  })

  test('that is paid back has none', async () => {
    const { person, id } = await openOrder()
    await report(id, 1250)
    await resolve(id, 'return_surplus')
    expect(await amountsOf(id)).toEqual({ receipts: [1000], credit_notes: [] })
    expect(await showOrder(testContext, person, id)).toMatchObject({ further_receipts: [] })
  })

  test('is in the credit note of a refund, which names both receipts and never exceeds them', async () => {
    const { person, id } = await openOrder()
    await report(id, 1250)
    await resolve(id, 'credit_surplus')
    await payBack(person, id)
    expect(await amountsOf(id)).toEqual({ receipts: [1000, 250], credit_notes: [1250] })
    const { receipt_number, further_receipts } = found(await showOrder(testContext, person, id))
    const [refund] = await refundsOf(testContext, person)
    const note = await read(refund?.credit_note_url)
    expect(note).toContain(`${receipt_number}, ${further_receipts[0]?.receipt_number}`)
  })
})

describe('an underpayment that was delivered in full', () => {
  async function deliverUnpaid() {
    const opened = await openOrder()
    await report(opened.id, 600)
    expect((await resolve(opened.id, 'full_grant')).status).toBe(200)
    return opened
  }

  test('has a further receipt for the rest that arrives later, however often it is reported', async () => {
    const { person, id } = await deliverUnpaid()
    expect(await amountsOf(id)).toEqual({ receipts: [600], credit_notes: [] })
    await Promise.all([report(id, 900), report(id, 1000), report(id, 1000)])
    const { receipts } = await amountsOf(id)
    expect([receipts[0], receipts.reduce((sum, cents) => sum + cents)]).toEqual([600, 1000])
    await report(id, 1100)
    expect((await amountsOf(id)).receipts).toEqual(receipts)
    await payBack(person, id)
    expect((await amountsOf(id)).credit_notes).toEqual([1000])
  })

  test.each(['full_grant', 'pro_rata_grant'])(
    'and one whose rest arrives during a %s have receipts for all that counts',
    async (action) => {
      const { id } = await openOrder()
      await report(id, 600)
      await Promise.all([resolve(id, action), report(id, 700)])
      const [row] = await query(testContext, 'SELECT undelivered_cents FROM orders WHERE id = ?', id)
      const { receipts } = await amountsOf(id)
      const counted = Math.min(700, 1000 - Number(row?.undelivered_cents))
      expect(receipts.reduce((sum, cents) => sum + cents)).toBe(counted)
    },
  )
})
