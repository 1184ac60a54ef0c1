import { describe, expect, test } from 'vitest'
import { actAtCheckout, order, sendCallback, sendCallbacks } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import { buyInCrypto, refund, refundsOf, settleRefund } from '../../test/edge/worker/refunds.ts'
import { actOnMandate, subscribe } from '../../test/edge/worker/terms.ts'

const { testContext, sold, buyPack, buyMonths } = openRefundDesk()
const { call, open } = testContext
const DETAILS = '/api/v1/billing/details'

const query = async (sql: string) => (await testContext.deps.db.$client.execute(sql)).rows

async function listOrders({ token }: Person) {
  return (await call('GET', '/api/v1/billing/payments', { token })).json
}

async function listSeries() {
  return query('SELECT series, last FROM receipt_series')
}

// Other tests use the same database, and some move accounts with their receipts out of it.
const used = new Map((await listSeries()).map(({ series, last }) => [series, Number(last)]))

async function expectNoGaps(): Promise<void> {
  const series = await listSeries()
  expect(series.length).toBeGreaterThan(0)
  for (const { series: name, last } of series) {
    const before = used.get(name) ?? 0
    const rows = await query(
      `SELECT number FROM receipts WHERE series = '${name}' AND number > ${before} ORDER BY number`,
    )
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: Number(last) - before }, (_, index) => before + 1 + index),
    )
  }
}

async function read(url: string | null | undefined, more = ''): Promise<Response> {
  return open('GET', new URL(url ?? '').pathname + more)
}

describe('a paid order', () => {
  test('has one receipt, with the seller of record and the tax that it charged', async () => {
    const { person } = await buyPack()
    const [row] = await listOrders(person)
    expect(row?.receipt_number).toMatch(/^R-\d{6}$/)
    const page = await read(row?.receipt_url)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'none'.*style-src 'sha256-/)
    const text = await page.text()
    for (const part of [row?.receipt_number, row?.order_id, person.email, 'Paddle.com', 'Example Media OÜ']) {
      expect(text).toContain(String(part))
    }
    for (const amount of ['10.00', '2.00', '12.00']) expect(text).toContain(`USD\u00a0${amount}`)
  })

  test('has its receipt as a PDF', async () => {
    const { person } = await buyMonths()
    const [row] = await listOrders(person)
    const pdf = await read(row?.receipt_url, '?format=pdf')
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('content-disposition')).toBe(`inline; filename="${row?.receipt_number}.pdf"`)
    expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
  })

  test('links the invoice of the reseller; an order in crypto has none, and no tax', async () => {
    const { person } = await buyPack()
    const [row] = await listOrders(person)
    const invoice = await read(row?.receipt_url, '/invoice')
    expect([invoice.status, invoice.headers.get('location')]).toEqual([302, expect.stringMatching(/^http/)])
    const payer = await register(testContext)
    await buyInCrypto(testContext, payer, { package_id: sold.pack.id })
    const [paid] = await listOrders(payer)
    expect((await read(paid?.receipt_url, '/invoice')).status).toBe(404)
    expect(await (await read(paid?.receipt_url)).text()).toContain('reported no tax')
  })

  test('of a renewal has a receipt, too', async () => {
    const person = await register(testContext)
    await actOnMandate(testContext, await subscribe(testContext, person, sold.plan.id), 'charge')
    const numbers = (await listOrders(person)).map(({ receipt_number }) => receipt_number)
    expect([numbers.length, new Set(numbers).size, numbers.includes(null)]).toEqual([2, 2, false])
  })

  test('has none before the payment, and no other URL shows one', async () => {
    const person = await register(testContext)
    await order(testContext, person, { package_id: sold.pack.id })
    expect(await listOrders(person)).toMatchObject([{ receipt_number: null, receipt_url: null }])
    const unknown = await call('GET', `/api/v1/billing/receipts/${crypto.randomUUID()}`)
    expect([unknown.status, unknown.code]).toEqual([404, 'receipt_not_found'])
  })
})

describe('numbers', () => {
  test('have no gaps and no duplicates when concurrent and repeated payments race', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () =>
        order(testContext, await register(testContext), { package_id: sold.pack.id }),
      ),
    )
    const events = (await Promise.all(ids.map((id) => actAtCheckout(id, 'pay')))).flat()
    const answers = await Promise.all([...events, ...events].map((event) => sendCallback(testContext, event)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const rows = await query(
      `SELECT order_id, number FROM receipts WHERE order_id IN (${ids.map((id) => `'${id}'`).join(', ')})`,
    )
    expect(rows.length).toBe(ids.length)
    await expectNoGaps()
  })

  test('are not used up by a commit that fails', async () => {
    await buyPack()
    const before = await listSeries()
    await testContext.deps.db.$client
      .batch(
        [
          `UPDATE receipt_series SET last = last + 1 WHERE series = 'R'`,
          `INSERT INTO commit_guards (holds) VALUES (0)`,
        ],
        'write',
      )
      .catch(() => undefined)
    expect(await listSeries()).toEqual(before)
  })

  test.each(['UPDATE receipts SET number = number + 1', 'DELETE FROM receipts'])(
    'are kept: %s is refused',
    async (sql) => {
      await buyPack()
      await expect(query(sql)).rejects.toThrow('append-only')
    },
  )
})

describe('a refund that succeeds', () => {
  test('has a credit note, in a series of its own, that names the receipt', async () => {
    const { person, id } = await buyPack()
    const request = await refund(testContext, person, id)
    expect([request.credit_note_number, request.credit_note_url]).toEqual([null, null])
    await settleRefund(testContext, id, 'approved')
    const [{ receipt_number } = { receipt_number: null }] = await listOrders(person)
    const [row] = await refundsOf(testContext, person)
    expect(row?.credit_note_number).toMatch(/^C-\d{6}$/)
    const text = await (await read(row?.credit_note_url)).text()
    for (const part of [receipt_number, row?.credit_note_number, 'USD\u00a012.00', 'USD\u00a02.00']) {
      expect(text).toContain(String(part))
    }
    await expectNoGaps()
  })

  test('so does a chargeback; a rejected refund has none', async () => {
    const charged = await buyPack()
    await sendCallbacks(testContext, await actAtCheckout(charged.id, 'charge_back'))
    expect(await refundsOf(testContext, charged.person)).toMatchObject([
      { credit_note_number: expect.stringMatching(/^C-/) },
    ])
    const { person, id } = await buyPack()
    await refund(testContext, person, id)
    await settleRefund(testContext, id, 'rejected')
    expect(await refundsOf(testContext, person)).toMatchObject([{ credit_note_number: null }])
  })
})

describe('billing details', () => {
  const COMPANY = {
    name: 'Ada <b>Lovelace</b> GmbH',
    address: 'Musterstraße 12',
    postal_code: '10115',
    city: 'Berlin',
    country: 'DE',
    vat_id: 'DE136695976',
  }

  test('are in the receipts of later payments; a receipt never changes', async () => {
    const { person } = await buyPack()
    const { token } = person
    const [first] = await listOrders(person)
    const before = await (await read(first?.receipt_url)).text()
    expect((await call('PUT', DETAILS, { token, body: COMPANY })).json).toEqual(COMPANY)
    expect((await call('GET', DETAILS, { token })).json).toEqual(COMPANY)
    expect(await (await read(first?.receipt_url)).text()).toBe(before)
    const id = await order(testContext, person, { package_id: sold.pack.id })
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    const later = (await listOrders(person)).find(({ order_id }) => order_id === id)
    const text = await (await read(later?.receipt_url)).text()
    for (const part of ['Ada &lt;b&gt;Lovelace&lt;/b&gt; GmbH', '10115 Berlin', 'Germany', 'DE136695976']) {
      expect(text).toContain(part)
    }
    expect((await read(later?.receipt_url, '?format=pdf')).status).toBe(200)
  })

  test.each([
    [{ vat_id: 'DE136695977', country: 'DE' }, 'vat_id'],
    [{ vat_id: 'nonsense', country: null }, 'vat_id'],
    [{ country: 'XX' }, 'country'],
    [{ country: 'Germany' }, 'country'],
    [{ country: 'ZZ' }, 'country'],
    [{ country: 'EU' }, 'country'],
    [{ vat_id: 'XI980780685', country: 'GB' }, 'vat_id'],
    [{ name: 'evil \u202e name' }, 'name'],
    [{ name: '' }, 'name'],
    [{ company: 'Ada' }, 'company'],
  ])('%j are refused', async (body, field) => {
    const { token } = await register(testContext)
    const { status, json, text } = await call('PUT', DETAILS, { token, body })
    expect(status, text).toBe(422)
    expect(JSON.stringify(json)).toContain(field)
  })

  test.each([[{ vat_id: 'ATU12011204', country: 'DE' }], [{ vat_id: '94-2404110', country: 'US' }], [{}]])(
    '%j are accepted',
    async (body) => {
      const { token } = await register(testContext)
      const { status, text } = await call('PUT', DETAILS, { token, body })
      expect(status, text).toBe(200)
    },
  )
})

test.each([
  ['de 136 695 976', 'DE136695976'],
  ['XI 980 7806 84', 'XI980780684'],
])('the VAT id %s is stored as %s', async (vat_id, stored) => {
  const { token } = await register(testContext)
  const body = { country: 'GB', vat_id }
  expect((await call('PUT', DETAILS, { token, body })).json).toMatchObject({ vat_id: stored })
})

test('a deleted account keeps its receipts and loses its billing details', async () => {
  const { person } = await buyPack()
  const { token, email, password } = person
  await call('PUT', DETAILS, { token, body: { name: 'Ada' } })
  const exported = (await call('GET', '/api/v1/auth/me/export', { token })).json
  expect(exported).toMatchObject({
    billing_details: [{ name: 'Ada' }],
    receipts: [{ content: { reseller: 'Paddle.com' } }],
  })
  const [row] = await listOrders(person)
  const body = { confirm: email, current_password: password, refund: 'waive' }
  expect((await call('DELETE', '/api/v1/auth/me', { token, body })).status).toBe(200)
  expect((await read(row?.receipt_url)).status).toBe(200)
  expect(await query(`SELECT * FROM billing_details WHERE account_id = ${person.id}`)).toEqual([])
})
