import { createHmac } from 'node:crypto'
import { describeCryptoPayment } from './nowpayments-entities.ts'
import { describeAdjustment, describeSubscription, describeTransaction } from './paddle-entities.ts'
import {
  type CallbackMode,
  type Mandate,
  type Payment,
  paddleId,
  type Refund,
  type SentEvent,
  type Store,
} from './state.ts'

export interface Sandbox {
  store: Store
  /** Base URL without a trailing slash. */
  url: string
  /** Signs all events. It is also the API key for both APIs. */
  secret: string
  /** URL that receives Paddle's notifications; if null, they are only recorded. */
  card_callback_url: string | null
  late_ms: number
  approve_refunds_after_ms: number
  now(): number
}

/** Records an event; `makeDeliverer` sends it when it is due. */
function record(
  sandbox: Sandbox,
  event: Pick<SentEvent, 'id' | 'kind' | 'order_id' | 'type' | 'url' | 'body'>,
  mode: CallbackMode,
): void {
  const now = sandbox.now()
  const isSent = mode !== 'never' && event.url !== null
  sandbox.store.state.events.push({
    ...event,
    created_at: now,
    due_at: isSent ? now + (mode === 'late' ? sandbox.late_ms : 0) : null,
    copies_left: isSent ? (mode === 'twice' ? 2 : 1) : 0,
    failures: 0,
    answers: [],
  })
}

function recordPaddle(
  sandbox: Sandbox,
  order_id: string,
  type: string,
  data: unknown,
  mode: CallbackMode,
): void {
  const id = paddleId('evt')
  const body = JSON.stringify({
    event_id: id,
    event_type: type,
    occurred_at: new Date(sandbox.now()).toISOString(),
    notification_id: paddleId('ntf'),
    data,
  })
  record(sandbox, { id, kind: 'card', order_id, type, url: sandbox.card_callback_url, body }, mode)
}

export function recordTransaction(
  sandbox: Sandbox,
  type: string,
  payment: Payment,
  mode: CallbackMode,
): void {
  const data = describeTransaction(payment, sandbox.url)
  recordPaddle(sandbox, payment.order_id, `transaction.${type}`, data, mode)
}

export function recordSubscription(
  sandbox: Sandbox,
  type: string,
  mandate: Mandate,
  mode: CallbackMode,
): void {
  recordPaddle(sandbox, mandate.order_id, `subscription.${type}`, describeSubscription(mandate), mode)
}

export function recordAdjustment(
  sandbox: Sandbox,
  type: string,
  refund: Refund,
  payment: Payment,
  mode: CallbackMode,
): void {
  recordPaddle(sandbox, payment.order_id, `adjustment.${type}`, describeAdjustment(refund, payment), mode)
}

export function recordCryptoPayment(sandbox: Sandbox, payment: Payment, mode: CallbackMode): void {
  const data = describeCryptoPayment(payment)
  const event = {
    id: paddleId('ipn'),
    kind: 'crypto' as const,
    order_id: payment.order_id,
    type: data.payment_status,
    url: payment.callback_url,
    body: JSON.stringify(data),
  }
  record(sandbox, event, mode)
}

/** Creates the signature headers for one attempt. Like the providers, the sandbox signs each attempt separately. */
export function signEvent(
  { kind, body }: Pick<SentEvent, 'kind' | 'body'>,
  secret: string,
  now: number,
): Record<string, string> {
  if (kind === 'crypto') {
    const text = JSON.stringify(sortKeys(JSON.parse(body)))
    const signature = createHmac('sha512', secret).update(text).digest('hex')
    return { 'content-type': 'application/json', 'x-nowpayments-sig': signature }
  }
  const ts = Math.floor(now / 1000)
  const h1 = createHmac('sha256', secret).update(`${ts}:${body}`).digest('hex')
  return { 'content-type': 'application/json', 'paddle-signature': `ts=${ts};h1=${h1}` }
}

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}
