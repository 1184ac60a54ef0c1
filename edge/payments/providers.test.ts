import { env as platform } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { parseEnv } from '../env.ts'
import type { CheckoutRequest, PaymentProvider } from './provider.ts'
import { openPayments } from './providers.ts'

const NO_SANDBOX = { PAYMENT_SANDBOX_URL: undefined, PAYMENT_SANDBOX_SECRET: undefined }

function anOrder(changes: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    order_id: `ord_${crypto.randomUUID()}`,
    description: '500 credits',
    amount_cents: 1990,
    currency: 'EUR',
    email: 'ada+pay@example.com',
    locale: 'en',
    return_url: 'https://media.example.com/billing',
    renews_every_days: null,
    ...changes,
  }
}

/** Opens the providers configured by the Worker's settings, with the given changes. */
function open(settings: Record<string, unknown> = {}) {
  const env = parseEnv({ ...(platform as object), ...settings })
  return { env, payments: openPayments(env) }
}

/** Opens both sandbox providers and returns a function that acts as the customer. */
function openRails(settings: Record<string, unknown> = {}) {
  const { env, payments } = open(settings)
  const [card, coins] = payments
  if (card === undefined || coins === undefined) throw new Error('the sandbox has two rails')
  const act = async (order_id: string, action: string) => {
    const body = JSON.stringify({ action, callbacks: 'never' })
    const response = await fetch(`${env.PAYMENT_SANDBOX_URL}/control/orders/${order_id}`, {
      method: 'POST',
      body,
    })
    return (await response.json()) as {
      events: { headers: Record<string, string>; body: string; type: string }[]
    }
  }
  return { env, card, coins, act }
}

const names = (providers: PaymentProvider[]) => providers.map(({ name }) => name)

test('there are no rails without settings', () => {
  expect(open(NO_SANDBOX).payments).toEqual([])
})

test('the real rails come first, each when it has its key', () => {
  const paddle = { PADDLE_API_KEY: 'key', PADDLE_WEBHOOK_SECRET: 'secret' }
  const nowpayments = { NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'secret' }
  expect(names(open({ ...NO_SANDBOX, ...nowpayments }).payments)).toEqual(['nowpayments'])
  expect(names(open({ ...paddle, ...nowpayments }).payments)).toEqual([
    'paddle',
    'nowpayments',
    'sandbox_card',
    'sandbox_crypto',
  ])
})

test('a card payment is reported alike by event and by polling', async () => {
  const { card, act } = openRails()
  const order = anOrder()
  const { reference } = await card.openCheckout(order)
  const { events } = await act(order.order_id, 'pay')
  const reports = events.map(({ headers, body }) =>
    card.readWebhook({ headers: new Headers(headers), body }, Date.now()),
  )
  const states = (await Promise.all(reports)).map((callback) => callback?.reported)
  expect(states).toMatchObject([null, { state: 'confirming' }, { state: 'paid', paid_cents: 1990 }])
  expect(await card.findPayment({ order_id: order.order_id, reference })).toEqual(states[2])
})

test('a crypto payment is reported alike by event and by polling', async () => {
  const { coins, act } = openRails()
  const order = anOrder()
  const { reference } = await coins.openCheckout(order)
  const { events } = await act(order.order_id, 'pay')
  const last = events.at(-1) ?? { headers: {}, body: '' }
  const callback = await coins.readWebhook(
    { headers: new Headers(last.headers), body: last.body },
    Date.now(),
  )
  expect(callback?.reported).toMatchObject({ state: 'paid', paid_cents: 1990 })
  expect(await coins.findPayment({ order_id: order.order_id, reference })).toEqual(callback?.reported)
})

test('neither rail accepts events signed with the secret of the other', async () => {
  const { card, coins, act } = openRails()
  const other = openRails({ PAYMENT_SANDBOX_SECRET: 'another' })
  const [byCard, byCoins] = [anOrder(), anOrder()]
  await card.openCheckout(byCard)
  await coins.openCheckout(byCoins)
  for (const [rail, order] of [
    ['card', byCard],
    ['coins', byCoins],
  ] as const) {
    for (const { headers, body } of (await act(order.order_id, 'pay')).events) {
      expect(await other[rail].readWebhook({ headers: new Headers(headers), body }, Date.now())).toBeNull()
      const unsigned = { headers: new Headers(), body }
      expect(await { card, coins }[rail].readWebhook(unsigned, Date.now())).toBeNull()
    }
  }
})

test.each([
  [
    'https://pay.paddle.io/hsc_01abc',
    /^https:\/\/pay\.paddle\.io\/hsc_01abc\?transaction_id=txn_\w{26}&user_email=ada%2Bpay%40example\.com$/,
  ],
  [undefined, /\/checkout\/txn_\w{26}$/],
])('for the %s checkout the customer is sent to %s', async (checkout, address) => {
  const { env } = openRails()
  const { payments } = open({
    PADDLE_API_URL: `${env.PAYMENT_SANDBOX_URL}/paddle`,
    PADDLE_API_KEY: env.PAYMENT_SANDBOX_SECRET,
    PADDLE_WEBHOOK_SECRET: 'secret',
    PADDLE_CHECKOUT_URL: checkout,
  })
  const opened = await payments[0]?.openCheckout(anOrder())
  expect(opened?.redirect_url).toEqual(expect.stringMatching(address))
})

test('a refusal by the provider contains its response but not its key', async () => {
  const { card } = openRails({ PAYMENT_SANDBOX_SECRET: 'wrong-key' })
  const error = await card.openCheckout(anOrder()).catch((cause: Error) => cause)
  expect(error).toMatchObject({ name: 'ProviderRefused', status: 403 })
  expect(String(error)).toContain('/paddle/transactions returned 403')
  expect(String(error)).not.toContain('wrong-key')
})
