import type { Client } from '../client.ts'
import { ask } from './ask.ts'
import type { Resources } from './resource-type.ts'
import type { Target } from './target.ts'

const CONSENT = { accept_documents: true, accept_immediate: true }
const SETTLE_MS_MAX = 20_000
/** The ids of the seeded packs and plans. */
const SEEDED_IDS = [1, 2, 3]

/** Checkout actions and the order status that each leads to. */
const FINAL_STATUSES = { pay: 'paid', expire: 'expired', underpay: 'partially_paid' }

interface Order {
  order_id: string
  status: string
}

/** Creates pending, expired, underpaid, and paid orders, by card and in crypto, plus a refund and a withdrawal. */
export async function makeOrders({ payments_url }: Target, owner: Client): Promise<Resources> {
  const buy = async (
    path: 'checkout' | 'subscribe',
    item: object,
    action: keyof typeof FINAL_STATUSES | null,
  ) => {
    const order = await ask<Order>(owner, 'POST', `/api/v1/billing/${path}`, { ...CONSENT, ...item })
    if (action === null) return order.order_id
    const response = await fetch(`${payments_url}/control/orders/${order.order_id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action }),
    })
    if (!response.ok) throw new Error(`${action} failed with ${response.status}: ${await response.text()}`)
    await waitForStatus(owner, order.order_id, FINAL_STATUSES[action])
    return order.order_id
  }
  const pack = { package_id: 1 }
  const crypto = { ...pack, provider: 'sandbox_crypto' }
  const plan = { plan_id: 1, months: 3 }
  const ids = [
    await buy('checkout', pack, null),
    await buy('checkout', pack, 'expire'),
    await buy('checkout', pack, 'pay'),
    await buy('subscribe', plan, 'pay'),
    await buy('checkout', crypto, 'underpay'),
    await buy('checkout', crypto, 'pay'),
  ]
  const refund = await ask<{ id: string }>(owner, 'POST', `/api/v1/billing/payments/${ids.at(-1)}/refund`, {})
  const withdrawal = await ask<{ id: string }>(owner, 'POST', `/api/v1/billing/payments/${ids[2]}/withdrawal`)
  return { order_id: ids, refund_id: [refund.id], withdrawal_id: [withdrawal.id] }
}

async function waitForStatus(owner: Client, order_id: string, status: string): Promise<void> {
  const deadline = Date.now() + SETTLE_MS_MAX
  for (;;) {
    const orders = await ask<Order[]>(owner, 'GET', '/api/v1/billing/payments')
    if (orders.find((order) => order.order_id === order_id)?.status === status) return
    if (Date.now() > deadline)
      throw new Error(`Order ${order_id} did not become ${status} within ${SETTLE_MS_MAX} ms.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Creates a pack, a plan, and a promotion that requests may change and retire. The seeded ones stay unchanged. */
export async function makeOffers(administrator: Client): Promise<Resources> {
  const make = (what: string, fields: object) =>
    ask<{ id: number }>(administrator, 'POST', `/api/v1/admin/${what}`, fields)
  // Accounts with a plan get the plan's limits, so these must be generous too.
  const limits = { requests_per_minute: 1e8, requests_per_day: 1e9, in_flight_max: 10_000, throttled: false }
  for (const id of SEEDED_IDS) await ask(administrator, 'PATCH', `/api/v1/admin/plans/${id}`, limits)
  const pack = await make('packages', { name: 'Spare', credits: 10, price_cents: 100 })
  const plan = await make('plans', {
    ...{ slug: `spare-${crypto.randomUUID()}`, name: 'Spare', price_cents: 100, period_credits: 10 },
    terms: [{ months: 1, discount_pct: 0 }],
  })
  const promotion = await make('promotions', {
    ...{ item_kind: 'package', item_id: pack.id, discount_pct: 10 },
    ends_at: new Date(Date.now() + 8.64e7).toISOString(),
  })
  return {
    package_id: SEEDED_IDS,
    plan_id: SEEDED_IDS,
    months: [1, 3, 6, 12],
    promotion_id: [promotion.id],
    'PATCH /api/v1/admin/packages/{package_id} package_id': [pack.id],
    'PATCH /api/v1/admin/plans/{plan_id} plan_id': [plan.id],
  }
}
