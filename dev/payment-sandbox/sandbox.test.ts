import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPaymentSandbox } from './server.ts'
import { anOrder, control, controlOrder, openRails, SECRET, startRails } from './testing/rails.ts'

let rails: Awaited<ReturnType<typeof startRails>>
beforeEach(async () => {
  rails = await startRails({ late_ms: 300, approve_refunds_after_ms: 0 })
})
afterEach(() => rails.stop())

const act = (order_id: string, action: string, more = {}) =>
  controlOrder(rails.url, order_id, { action, ...more })
const receivedEvents = () => rails.receiver.received

/** Waits for at least `count` events. @returns the types of all events received */
async function waitForTypes(count: number): Promise<string[]> {
  await vi.waitFor(() => expect(receivedEvents().length).toBeGreaterThanOrEqual(count), { timeout: 5000 })
  return receivedEvents().map(({ body }) => {
    const { event_type, payment_status } = JSON.parse(body)
    return event_type ?? payment_status
  })
}

describe('cards', () => {
  test('a closed checkout refuses payments, and closing it again or a paid one changes nothing', async () => {
    const [open, paid] = [anOrder(), anOrder()]
    const { reference } = await rails.card.openCheckout(open)
    expect([await rails.card.closeCheckout(reference), await rails.card.closeCheckout(reference)]).toEqual([
      true,
      true,
    ])
    await expect(act(open.order_id, 'pay')).rejects.toThrow('This payment is expired')
    const other = (await rails.card.openCheckout(paid)).reference
    expect(await rails.card.findPayer(other)).toBeNull()
    await act(paid.order_id, 'pay')
    expect(await rails.card.closeCheckout(other)).toBe(false)
    expect(await rails.card.findPayer(other)).toBe(`payer-of-${paid.order_id}@example.com`)
  })

  test('a crypto invoice cannot be closed, and does not name the payer', async () => {
    const { reference } = await rails.crypto.openCheckout(anOrder())
    expect([await rails.crypto.closeCheckout(reference), await rails.crypto.findPayer(reference)]).toEqual([
      false,
      null,
    ])
  })

  test('a payment sends the events paid and completed, in this order', async () => {
    const order = anOrder()
    const { reference } = await rails.card.openCheckout(order)
    expect(await rails.card.findPayment({ order_id: order.order_id, reference })).toBeNull()
    await act(order.order_id, 'pay')
    expect(await waitForTypes(3)).toEqual(['transaction.ready', 'transaction.paid', 'transaction.completed'])
    expect(await rails.card.findPayment({ order_id: order.order_id, reference })).toEqual({
      kind: 'payment',
      order_id: order.order_id,
      reference,
      state: 'paid',
      paid_cents: 1990,
      currency: 'EUR',
      charged: { total_cents: 2388, tax_cents: 398, currency: 'EUR' },
      mandate: null,
    })
    await expect(act(order.order_id, 'pay')).rejects.toThrow('This payment is paid')
  })

  test('a declined card can be retried, an expired checkout cannot', async () => {
    const order = anOrder()
    const { reference } = await rails.card.openCheckout(order)
    await act(order.order_id, 'decline')
    expect(await rails.card.findPayment({ order_id: order.order_id, reference })).toBeNull()
    await act(order.order_id, 'expire')
    expect(await rails.card.findPayment({ order_id: order.order_id, reference })).toMatchObject({
      state: 'expired',
    })
    await expect(act(order.order_id, 'pay')).rejects.toThrow('expired')
  })

  test('a payment can be charged back, and the chargeback reversed', async () => {
    const order = anOrder()
    const { reference } = await rails.card.openCheckout(order)
    await expect(act(order.order_id, 'charge_back')).rejects.toThrow('so charge_back is not possible')
    await act(order.order_id, 'pay')
    await expect(act(order.order_id, 'reverse_charge_back')).rejects.toThrow(
      'so reverse_charge_back is not possible',
    )
    await act(order.order_id, 'charge_back')
    await expect(act(order.order_id, 'charge_back')).rejects.toThrow('so charge_back is not possible')
    await act(order.order_id, 'reverse_charge_back')
    await waitForTypes(5)
    const disputes = receivedEvents().slice(3)
    const read = disputes.map(({ body, headers }) =>
      rails.card.readWebhook({ headers: new Headers(headers as Record<string, string>), body }, Date.now()),
    )
    expect((await Promise.all(read)).map((callback) => callback?.reported)).toMatchObject([
      { kind: 'dispute', payment: reference, state: 'lost', amount_cents: null, currency: 'EUR' },
      { kind: 'dispute', payment: reference, state: 'reversed' },
    ])
  })

  test('an unknown payment, refund or mandate is not found', async () => {
    expect(await rails.card.findPayment({ order_id: 'ord', reference: 'txn_unknown' })).toBeNull()
    expect(await rails.card.findRefund('adj_unknown')).toBeNull()
    await expect(rails.card.cancelMandate('sub_unknown')).rejects.toThrow('404')
  })

  test('a mandate charges, fails to charge, charges on retry, and is canceled once', async () => {
    const order = anOrder({ renews_every_days: 30 })
    await rails.card.openCheckout(order)
    const { payments } = await act(order.order_id, 'pay')
    const mandate = payments[0]?.mandate ?? ''
    await act(order.order_id, 'charge')
    await act(order.order_id, 'fail_charge')
    const page = (await rails.card.findPaymentMethodPage(mandate)) ?? ''
    expect(await (await fetch(page)).text()).toContain('past due')
    expect(await rails.crypto.findPaymentMethodPage(mandate)).toBeNull()
    expect(await rails.card.findRenewals(mandate)).toMatchObject([{ state: 'failed' }, { state: 'paid' }])
    await act(order.order_id, 'charge')
    expect(await rails.card.findRenewals(mandate)).toMatchObject([
      { state: 'paid', amount_cents: 1990, currency: 'EUR', mandate },
      { state: 'paid' },
    ])
    await rails.card.cancelMandate(mandate)
    await rails.card.cancelMandate(mandate)
    expect((await waitForTypes(13)).filter((type) => type === 'subscription.canceled')).toHaveLength(1)
    await expect(act(order.order_id, 'charge')).rejects.toThrow('canceled')
  })

  test('concurrent repeats create one refund, and refunds never exceed the payment', async () => {
    const order = anOrder()
    const { reference } = await rails.card.openCheckout(order)
    await act(order.order_id, 'pay')
    await control(rails.url, '/settings', { refunds_by_hand: true })
    const request = { order_id: order.order_id, reference, currency: 'EUR', reason: 'withdrawal' }
    const first = { ...request, refund_id: 'rfd_a', amount_cents: 700, whole: false }
    const answers = await Promise.all([
      rails.card.refund(first),
      rails.card.refund(first),
      rails.card.refund(first),
    ])
    expect(new Set(answers.map((answer) => answer.reference)).size).toBe(1)
    expect(answers[0]).toMatchObject({ refund_id: 'rfd_a', state: 'processing' })
    const { reference: name } = answers[0] ?? { reference: '' }
    await control(rails.url, `/refunds/${name}`, { status: 'approved' })
    expect(await rails.card.findRefund(name)).toMatchObject({ refund_id: 'rfd_a', state: 'succeeded' })
    expect(await rails.card.refund(first)).toMatchObject({ reference: name, state: 'succeeded' })
    const more = { ...request, refund_id: 'rfd_b', amount_cents: 1300, whole: false }
    await expect(rails.card.refund(more)).rejects.toThrow('adjustment_total_amount_above_remaining_allowed')
    const rest = await rails.card.refund({ ...more, amount_cents: 1290 })
    await control(rails.url, `/refunds/${rest.reference}`, { status: 'rejected' })
    expect(await rails.card.findRefund(rest.reference)).toMatchObject({ refund_id: 'rfd_b', state: 'failed' })
  })

  test('refunds are approved automatically', async () => {
    const order = anOrder()
    const { reference } = await rails.card.openCheckout(order)
    await act(order.order_id, 'pay')
    const request = {
      refund_id: 'rfd_c',
      order_id: order.order_id,
      reference,
      currency: 'EUR',
      reason: 'policy',
    }
    await rails.card.refund({ ...request, amount_cents: 1990, whole: true })
    expect(await waitForTypes(5)).toContain('adjustment.updated')
  })
})

describe('crypto', () => {
  test('coins arrive first and are confirmed later', async () => {
    const order = anOrder()
    const { reference } = await rails.crypto.openCheckout(order)
    const find = () => rails.crypto.findPayment({ order_id: order.order_id, reference })
    expect(await find()).toBeNull()
    await act(order.order_id, 'see')
    expect(await find()).toMatchObject({ state: 'confirming' })
    await act(order.order_id, 'pay')
    expect(await find()).toMatchObject({ reference, state: 'paid', paid_cents: 1990, mandate: null })
    expect(await waitForTypes(2)).toEqual(['confirming', 'finished'])
    expect(receivedEvents()[0]?.path).toBe('/api/v1/billing/callbacks/sandbox_crypto')
  })

  test('an underpayment reports the amount received, and payment can complete later, even after expiry', async () => {
    const [short, late] = [anOrder(), anOrder()]
    await rails.crypto.openCheckout(short)
    await act(short.order_id, 'underpay', { received_pct: 40 })
    await waitForTypes(1)
    const [callback] = receivedEvents()
    const request = {
      headers: new Headers(callback?.headers as Record<string, string>),
      body: callback?.body ?? '',
    }
    expect(await rails.crypto.readWebhook(request, Date.now())).toMatchObject({
      reported: { order_id: short.order_id, state: 'partially_paid', paid_cents: 796 },
    })
    await act(short.order_id, 'pay')
    const { reference } = await rails.crypto.openCheckout(late)
    await act(late.order_id, 'expire')
    await act(late.order_id, 'pay')
    expect(await rails.crypto.findPayment({ order_id: late.order_id, reference })).toMatchObject({
      state: 'paid',
    })
  })

  test('an overpayment reports more than the price', async () => {
    const order = anOrder()
    const { reference } = await rails.crypto.openCheckout(order)
    await act(order.order_id, 'overpay', { received_pct: 20 })
    const found = await rails.crypto.findPayment({ order_id: order.order_id, reference })
    expect(found).toMatchObject({ state: 'paid', paid_cents: 2388 })
  })

  test('the crypto provider supports neither mandates nor refunds', async () => {
    await expect(rails.crypto.openCheckout(anOrder({ renews_every_days: 30 }))).rejects.toThrow('no mandate')
    await expect(rails.crypto.cancelMandate('x')).rejects.toThrow('no mandate')
    expect([rails.crypto.refunds, rails.crypto.holds_mandates]).toEqual([false, false])
  })
})

describe('events', () => {
  test('are sent twice, late, or never, as requested', async () => {
    const [twice, late, never] = [anOrder(), anOrder(), anOrder()]
    for (const order of [twice, late, never]) await rails.crypto.openCheckout(order)
    await act(never.order_id, 'expire', { callbacks: 'never' })
    const started = Date.now()
    await act(late.order_id, 'expire', { callbacks: 'late' })
    await act(twice.order_id, 'expire', { callbacks: 'twice' })
    await waitForTypes(3)
    expect(Date.now() - started).toBeGreaterThanOrEqual(300)
    const orders = receivedEvents().map(({ body }) => JSON.parse(body).order_id)
    expect(orders.toSorted()).toEqual([twice.order_id, twice.order_id, late.order_id].toSorted())
    const { events } = await controlOrder(rails.url, never.order_id)
    expect(events).toMatchObject([{ type: 'expired', answers: [] }])
  })

  test('are retried until they are accepted', async () => {
    rails.receiver.setStatus(500)
    const order = anOrder()
    await rails.crypto.openCheckout(order)
    await act(order.order_id, 'expire')
    await waitForTypes(1)
    rails.receiver.setStatus(204)
    await waitForTypes(2)
    await vi.waitFor(async () => {
      const { events } = await controlOrder(rails.url, order.order_id)
      expect(events).toMatchObject([{ answers: [500, 204], due_at: null }])
    })
  })

  test('are resent in the requested order', async () => {
    const order = anOrder()
    await rails.card.openCheckout(order)
    const { events } = await act(order.order_id, 'pay', { callbacks: 'never' })
    await waitForTypes(1)
    const ids = [2, 1, 2].map((position) => events[position]?.id ?? '')
    const answers = await control(rails.url, `/orders/${order.order_id}/events`, { ids })
    expect(answers).toEqual(ids.map((id) => ({ id, status: 204 })))
    expect((await waitForTypes(4)).slice(1)).toEqual([
      'transaction.completed',
      'transaction.paid',
      'transaction.completed',
    ])
  })
})

test('both APIs reject an unknown key', async () => {
  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${rails.url}${path}`, { method: 'POST', headers, body: '{}' })
  expect((await post('/paddle/transactions', { authorization: 'Bearer other' })).status).toBe(403)
  expect((await post('/nowpayments/v1/invoice', { 'x-api-key': 'other' })).status).toBe(403)
  expect(
    (await fetch(`${rails.url}/nowpayments/v1/payment/`, { headers: { 'x-api-key': SECRET } })).status,
  ).toBe(401)
})

describe('the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'media-payments-'))
  const state_file = join(folder, 'payments.json')
  afterEach(() => rmSync(state_file, { force: true }))

  test('a restart keeps the state and the events that are not delivered yet', async () => {
    const { receiver } = rails
    const options = { port: 0, secret: SECRET, state_file, card_callback_url: `${receiver.url}/card` }
    receiver.setStatus(503)
    const first = await startPaymentSandbox(options)
    const order = anOrder()
    const { reference } = await openRails(first.url, receiver.url)[0].openCheckout(order)
    await waitForTypes(1)
    await control(first.url, `/orders/${order.order_id}`, { action: 'pay' })
    await first.stop()
    receiver.setStatus(204)
    const second = await startPaymentSandbox(options)
    try {
      const [card] = openRails(second.url, receiver.url)
      expect(await card.findPayment({ order_id: order.order_id, reference })).toMatchObject({ state: 'paid' })
      await vi.waitFor(async () => expect(await waitForTypes(4)).toContain('transaction.completed'), {
        timeout: 10_000,
      })
    } finally {
      await second.stop()
    }
  })

  test('an unreadable state file is named in the error', async () => {
    writeFileSync(state_file, '{')
    const options = { port: 0, secret: SECRET, state_file, card_callback_url: null }
    await expect(startPaymentSandbox(options)).rejects.toThrow('payments.json cannot be read. Remove it')
  })

  test.each([{ ENVIRONMENT: 'production' }, { NODE_ENV: 'production' }])(
    'it does not start with %j',
    (more) => {
      const env = {
        PORT: '0',
        SECRET,
        STATE_FILE: state_file,
        CARD_CALLBACK_URL: 'http://localhost.test/card',
        ...more,
      }
      const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
        env,
        encoding: 'utf8',
      })
      expect(status).toBe(1)
      expect(stderr).toContain('does not start in production')
    },
  )
})
