import type { CheckoutRequest, PaymentProvider } from '../../../edge/payments/provider.ts'
import { openPayments as open, type openPayments } from '../../../edge/payments/providers.ts'
import type { OrderDescription } from '../control-api.ts'
import { type SandboxOptions, startPaymentSandbox } from '../server.ts'
import { startReceiver } from './receiver.ts'

export const SECRET = 'a-secret-for-this-test-alone'

/** Starts the sandbox, the edge's adapters for it, and a receiver for its events. */
export async function startRails(options: Partial<SandboxOptions> = {}) {
  const receiver = await startReceiver()
  const sandbox = await startPaymentSandbox({
    port: 0,
    secret: SECRET,
    state_file: null,
    card_callback_url: `${receiver.url}/card`,
    ...options,
  })
  const [card, crypto] = openRails(sandbox.url, receiver.url)
  return {
    url: sandbox.url,
    receiver,
    card,
    crypto,
    async stop() {
      await sandbox.stop()
      await receiver.stop()
    },
  }
}

export function openRails(sandboxUrl: string, publicUrl: string): [PaymentProvider, PaymentProvider] {
  const env = {
    PUBLIC_URL: publicUrl,
    PADDLE_WEBHOOK_SECRET: [],
    PAYMENT_SANDBOX_URL: sandboxUrl,
    PAYMENT_SANDBOX_SECRET: SECRET,
  } as unknown as Parameters<typeof openPayments>[0]
  const [card, crypto] = open(env)
  if (card === undefined || crypto === undefined) throw new Error('The sandbox must open two providers.')
  return [card, crypto]
}

let orders = 0

export function anOrder(changes: Partial<CheckoutRequest> = {}): CheckoutRequest {
  orders += 1
  return {
    order_id: `ord_${orders}`,
    description: '500 credits',
    amount_cents: 1990,
    currency: 'EUR',
    email: 'ada@localhost.test',
    locale: null,
    return_url: 'http://localhost.test/billing?order=1',
    renews_every_days: null,
    ...changes,
  }
}

/**
 * Calls the control interface.
 * @throws an error with the interface's message if the call is refused
 */
export async function control(url: string, path: string, body?: unknown): Promise<unknown> {
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${url}/control${path}`, options)
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error((answer as { error: string }).error)
  return answer
}

/** Reads an order, or runs an action on it. */
export async function controlOrder(url: string, order_id: string, act?: object): Promise<OrderDescription> {
  return (await control(url, `/orders/${order_id}`, act)) as OrderDescription
}
