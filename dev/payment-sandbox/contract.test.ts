import { type Environment, LogLevel, Paddle } from '@paddle/paddle-node-sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openPaddle } from '../../edge/payments/paddle/client.ts'
import { anOrder, control, controlOrder, SECRET, startRails } from './testing/rails.ts'

/**
 * Compares our adapter with Paddle's official library. Both must read from the sandbox and call it in the same way.
 */
let rails: Awaited<ReturnType<typeof startRails>>
let sdk: Paddle

beforeAll(async () => {
  // The sandbox runs in this process, so any events it sent would be counted as requests from the adapter.
  rails = await startRails({ card_callback_url: null })
  sdk = new Paddle(SECRET, {
    environment: rails.url.concat('/paddle') as Environment,
    logLevel: LogLevel.none,
  })
})
afterAll(() => rails.stop())

/** Creates a subscription and takes it through every event. */
async function runLifeCycle() {
  const order = anOrder({ renews_every_days: 30 })
  const { reference } = await rails.card.openCheckout(order)
  await control(rails.url, `/orders/${order.order_id}`, { action: 'decline' })
  await control(rails.url, `/orders/${order.order_id}`, { action: 'pay' })
  for (const action of ['charge', 'fail_charge', 'charge', 'pause', 'resume']) {
    await control(rails.url, `/orders/${order.order_id}`, { action })
  }
  const refund = {
    refund_id: 'rfd_1',
    order_id: order.order_id,
    reference,
    currency: 'EUR',
    reason: 'policy',
  }
  await rails.card.refund({ ...refund, amount_cents: 1990, whole: true })
  await control(rails.url, `/orders/${order.order_id}`, { action: 'cancel' })
  const { events, mandates, payments } = await controlOrder(rails.url, order.order_id)
  return { order, reference, events, mandate: mandates[0]?.id ?? '', part: payments[0]?.part_id ?? '' }
}

test("Paddle's library and our adapter accept every event that the sandbox signs", async () => {
  const { events } = await runLifeCycle()
  const types = new Set<string>()
  for (const { body, headers, id, type } of events) {
    const event = await sdk.webhooks.unmarshal(body, SECRET, headers['paddle-signature'] ?? '')
    expect([event.eventId, event.eventType]).toEqual([id, type])
    const ours = await rails.card.readWebhook({ headers: new Headers(headers), body }, Date.now())
    expect(ours).toMatchObject({ event_id: id, occurred_at: Date.parse(event.occurredAt) })
    types.add(type)
  }
  expect([...types].sort()).toEqual([
    'adjustment.created',
    'subscription.activated',
    'subscription.canceled',
    'subscription.created',
    'subscription.past_due',
    'subscription.paused',
    'subscription.resumed',
    'transaction.completed',
    'transaction.paid',
    'transaction.past_due',
    'transaction.payment_failed',
    'transaction.ready',
  ])
})

test("our adapter rejects an event that Paddle's library rejects", async () => {
  const { events } = await runLifeCycle()
  const [event] = events
  if (event === undefined) throw new Error('The sandbox signed no event.')
  const { body, headers } = event
  const other = body.replace('transaction.ready', 'transaction.paid')
  await expect(sdk.webhooks.unmarshal(other, SECRET, headers['paddle-signature'] ?? '')).rejects.toThrow()
  const read = (secret: string, text: string) =>
    openPaddle({
      name: 'x',
      label: 'x',
      api_url: rails.url,
      api_key: 'x',
      webhook_secrets: [secret],
      checkout_url: undefined,
    }).readWebhook({ headers: new Headers(headers), body: text }, Date.now())
  expect(await read(SECRET, other)).toBeNull()
  expect(await read('another secret', body)).toBeNull()
  expect(await read(SECRET, body)).not.toBeNull()
})

test("Paddle's library reads the sandbox's transactions, adjustments and subscriptions", async () => {
  const { reference, mandate } = await runLifeCycle()
  const transaction = await sdk.transactions.get(reference)
  expect(transaction.status).toBe('completed')
  expect(transaction.details?.totals).toMatchObject({ subtotal: '1990', tax: '398', total: '2388' })
  const [adjustment] = await sdk.adjustments.list({ transactionId: [reference] }).next()
  expect(adjustment).toMatchObject({ action: 'refund', type: 'full', reason: 'policy [refund rfd_1]' })
  await expect(sdk.subscriptions.cancel(mandate, { effectiveFrom: 'immediately' })).rejects.toMatchObject({
    code: 'subscription_update_when_canceled',
  })
  await expect(rails.card.cancelMandate(mandate)).resolves.toBeUndefined()
})

/** Records the path and body of each POST or PATCH that `act` sends. */
async function recordPosts(act: () => Promise<unknown>) {
  const spy = vi.spyOn(globalThis, 'fetch')
  try {
    await act().catch(() => undefined)
    return spy.mock.calls
      .filter(([, init]) => init?.method === 'POST' || init?.method === 'PATCH')
      .map(([url, init]) => ({ path: new URL(String(url)).pathname, body: JSON.parse(String(init?.body)) }))
  } finally {
    spy.mockRestore()
  }
}

test("our adapter opens a checkout with the same request as Paddle's library", async () => {
  const order = anOrder({ renews_every_days: 360, description: 'Plan Studio, 12 months' })
  const theirs = await recordPosts(() =>
    sdk.transactions.create({
      items: [
        {
          quantity: 1,
          price: {
            name: order.description,
            description: `Order ${order.order_id}`,
            taxMode: 'external',
            unitPrice: { amount: '1990', currencyCode: 'EUR' },
            quantity: { minimum: 1, maximum: 1 },
            billingCycle: { interval: 'day', frequency: 360 },
            product: { name: order.description, taxCategory: 'standard' },
          },
        },
      ],
      currencyCode: 'EUR',
      collectionMode: 'automatic',
      customData: { order_id: order.order_id, return_url: order.return_url },
    }),
  )
  expect(await recordPosts(() => rails.card.openCheckout(order))).toEqual(theirs)
})

test("our adapter closes a checkout with the same request as Paddle's library", async () => {
  const { reference } = await rails.card.openCheckout(anOrder())
  expect(await recordPosts(() => rails.card.closeCheckout(reference))).toEqual(
    await recordPosts(() => sdk.transactions.update(reference, { status: 'canceled' })),
  )
})

test("our adapter refunds and cancels a mandate with the same requests as Paddle's library", async () => {
  const { reference, mandate, part } = await runLifeCycle()
  const refund = { refund_id: 'rfd_2', order_id: 'ord', reference, currency: 'EUR', reason: 'policy' }
  const common = { action: 'refund', transactionId: reference, reason: 'policy [refund rfd_2]' } as const
  const item = { itemId: part, type: 'partial', amount: '700' } as const
  expect(await recordPosts(() => rails.card.refund({ ...refund, amount_cents: 700, whole: false }))).toEqual(
    await recordPosts(() =>
      sdk.adjustments.create({ ...common, type: 'partial', taxMode: 'external', items: [item] }),
    ),
  )
  expect(await recordPosts(() => rails.card.refund({ ...refund, amount_cents: 1990, whole: true }))).toEqual(
    await recordPosts(() => sdk.adjustments.create({ ...common, type: 'full' })),
  )
  expect(await recordPosts(() => rails.card.cancelMandate(mandate))).toEqual(
    await recordPosts(() => sdk.subscriptions.cancel(mandate, { effectiveFrom: 'immediately' })),
  )
})
