import { env as platform } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Answer, TestContext } from './context.ts'
import type { Person } from './people.ts'

/** A webhook event from the payment sandbox with its signature headers. */
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

/** Calls the payment sandbox's control interface. The tests send its events themselves, in any order. */
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

export async function showSandboxOrder(order_id: string): Promise<SandboxOrder> {
  return (await control(`/orders/${order_id}`)) as SandboxOrder
}

/**
 * Takes a checkout action on behalf of a payer.
 * @returns the events that the provider creates
 */
export async function actAtCheckout(
  order_id: string,
  action: string,
  received_pct?: number,
  reference?: string,
): Promise<SignedCallback[]> {
  const before = (await showSandboxOrder(order_id)).events.length
  await control(`/orders/${order_id}`, { action, callbacks: 'never', received_pct, reference })
  return (await showSandboxOrder(order_id)).events.slice(before)
}

/** Sets whether refunds wait for a decision instead of being approved automatically. */
export async function holdRefunds(by_hand: boolean): Promise<void> {
  await control('/settings', { refunds_by_hand: by_hand })
}

/**
 * Approves or rejects an order's pending refund.
 * @returns the events that the provider creates
 */
export async function decideRefund(
  order_id: string,
  status: 'approved' | 'rejected',
): Promise<SignedCallback[]> {
  const { refunds, events } = await showSandboxOrder(order_id)
  const pending = refunds.find((refund) => refund.status === 'pending_approval')
  expect(pending, `a pending refund of ${order_id}`).toBeDefined()
  await control(`/refunds/${pending?.id}`, { status, callbacks: 'never' })
  return (await showSandboxOrder(order_id)).events.slice(events.length)
}

export function sendCallback(
  { call }: TestContext,
  { kind, body, headers }: Pick<SignedCallback, 'kind' | 'body' | 'headers'>,
): Promise<Answer> {
  return call('POST', `/api/v1/billing/callbacks/sandbox_${kind}`, { raw: body, headers })
}

/** Sends events one at a time. Each must be accepted. */
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

/**
 * Opens an order. The request must be accepted.
 * @returns the order's id
 */
export async function order({ call }: TestContext, { token }: Person, body: object): Promise<string> {
  const path = 'plan_id' in body ? 'subscribe' : 'checkout'
  const answer = await call('POST', `/api/v1/billing/${path}`, { token, body: { ...CONSENT, ...body } })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.order_id
}

/**
 * Opens an order and pays for it.
 * @returns the order's id
 */
export async function buy(testContext: TestContext, person: Person, body: object): Promise<string> {
  const id = await order(testContext, person, body)
  await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
  return id
}

/** Reads an order as its account's owner sees it. */
export async function showOrder({ call }: TestContext, { token }: Person, id: string) {
  const { json } = await call('GET', '/api/v1/billing/payments?limit=500', { token })
  return json.find(({ order_id }: { order_id: string }) => order_id === id)
}
