import { env as platform } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Answer, TestContext } from './context.ts'
import type { Person } from './people.ts'

/** A callback of the payment sandbox, with the headers that sign it. */
export interface SignedCallback {
  id: string
  kind: 'card' | 'crypto'
  type: string
  body: string
  headers: Record<string, string>
}

interface SandboxOrder {
  payments: { reference: string; status: string; amount_cents: number; renews_every_days: number | null }[]
  mandates: { id: string; status: string }[]
  refunds: { id: string; status: string; amount_cents: number }[]
  events: SignedCallback[]
}

/** The control interface of the payment sandbox. Its callbacks are sent by the tests, in the order they like. */
async function control(path: string, body?: object): Promise<unknown> {
  const { PAYMENT_SANDBOX_URL } = platform as unknown as { PAYMENT_SANDBOX_URL: string }
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(`${PAYMENT_SANDBOX_URL}/control${path}`, init)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return JSON.parse(text)
}

export async function lookInSandbox(order_id: string): Promise<SandboxOrder> {
  return (await control(`/orders/${order_id}`)) as SandboxOrder
}

/** Does at the checkout what a person would; answers with the callbacks that the provider makes of it. */
export async function actAtCheckout(
  order_id: string,
  action: string,
  received_pct?: number,
  reference?: string,
): Promise<SignedCallback[]> {
  const before = (await lookInSandbox(order_id)).events.length
  await control(`/orders/${order_id}`, { action, callbacks: 'never', received_pct, reference })
  return (await lookInSandbox(order_id)).events.slice(before)
}

/** Whether refunds wait to be decided about, in place of being approved by themselves. */
export async function holdRefunds(by_hand: boolean): Promise<void> {
  await control('/settings', { refunds_by_hand: by_hand })
}

/** Decides about the refund of an order that waits for it; answers with the callbacks that come of it. */
export async function decideRefund(
  order_id: string,
  status: 'approved' | 'rejected',
): Promise<SignedCallback[]> {
  const { refunds, events } = await lookInSandbox(order_id)
  const waiting = refunds.find((refund) => refund.status === 'pending_approval')
  expect(waiting, `a refund of ${order_id} that waits`).toBeDefined()
  await control(`/refunds/${waiting?.id}`, { status, callbacks: 'never' })
  return (await lookInSandbox(order_id)).events.slice(events.length)
}

export function sendCallback(
  { call }: TestContext,
  { kind, body, headers }: Pick<SignedCallback, 'kind' | 'body' | 'headers'>,
): Promise<Answer> {
  return call('POST', `/api/v1/billing/callbacks/sandbox_${kind}`, { raw: body, headers })
}

/** Lets the callbacks come one after the other; each must be taken. */
export async function sendCallbacks(
  testContext: TestContext,
  callbacks: readonly SignedCallback[],
): Promise<void> {
  for (const callback of callbacks) {
    const answer = await sendCallback(testContext, callback)
    expect([answer.status, answer.json], `${callback.type}: ${answer.text}`).toEqual([
      200,
      { received: true },
    ])
  }
}

export const CONSENT = { accept_documents: true, accept_immediate: true }

/** Opens an order that must be let through; returns its id. */
export async function order({ call }: TestContext, { token }: Person, body: object): Promise<string> {
  const path = 'plan_id' in body ? 'subscribe' : 'checkout'
  const answer = await call('POST', `/api/v1/billing/${path}`, { token, body: { ...CONSENT, ...body } })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.order_id
}

/** Opens an order and pays it; returns its id. */
export async function buy(testContext: TestContext, person: Person, body: object): Promise<string> {
  const id = await order(testContext, person, body)
  await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
  return id
}

/** An account's order as it is told of it. */
export async function showOrder({ call }: TestContext, { token }: Person, id: string) {
  const { json } = await call('GET', '/api/v1/billing/payments?limit=500', { token })
  return json.find(({ order_id }: { order_id: string }) => order_id === id)
}
