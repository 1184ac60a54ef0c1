import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import {
  keepEventStatement,
  listOpenCheckouts,
  settleCheckoutStatement,
} from '../payments/unmatched-event-queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { handlePayment } from './handle-payment.ts'
import { findOrder, orderTransitionStatements, type StoredOrder } from './queries.ts'

const CheckoutRequest = z.object({ order_id: z.string() })

/**
 * Returns the effect that closes the checkout of an order at its provider.
 * @param cause distinguishes the effects of an order: one may be acknowledged while the other is written.
 */
export function closeCheckoutEffect(
  order_id: string,
  cause: 'deleted' | 'opened' | `again ${number}`,
): Effect {
  return { id: `checkout:${order_id}:${cause}`, kind: 'checkout', payload: { order_id } }
}

/** Ends the unpaid orders of an account that is deleted, and closes their checkouts, also those that expired here. */
export function closeOrders(
  db: Database,
  orders: readonly StoredOrder[],
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const waiting = orders.filter(({ status }) => status === 'waiting')
  return {
    statements: waiting.flatMap((order) =>
      orderTransitionStatements(db, order, 'expired', { nextPollAt: null }, now),
    ),
    effects: orders
      .filter(({ providerReference }) => providerReference !== null)
      .map(({ id }) => closeCheckoutEffect(id, 'deleted')),
  }
}

/**
 * Closes a checkout. If it was paid before, handles the payment, because its event may be lost. If the provider is not
 * configured, or lacks the credentials to be asked, the checkout waits for an administrator or for the credentials.
 */
export async function closeCheckout(deps: Deps, payload: unknown): Promise<void> {
  const { order_id } = CheckoutRequest.parse(payload)
  const order = await findOrder(deps.db, order_id)
  if (order === undefined || order.providerReference === null) return
  const { provider: name, providerReference: reference } = order
  const provider = deps.payments.find((candidate) => candidate.name === name)
  if (provider === undefined) return waitForCredentials(deps, order, reference)
  if (!(await provider.closeCheckout(reference))) {
    if (!provider.finds_payments) return waitForCredentials(deps, order, reference)
    const reported = await provider.findPayment({ order_id, reference })
    if (reported !== null) await handlePayment(deps, provider, { ...reported, order_id }, null)
  }
  await settleCheckoutStatement(deps.db, order_id, deps.clock.now())
}

/** Shows a checkout that may still be paid to administrators, once. */
async function waitForCredentials(
  { db, clock }: Deps,
  { id: order_id, provider, currency }: StoredOrder,
  reference: string,
): Promise<void> {
  const now = clock.now()
  const event = {
    ...({ kind: 'payment', order_id, reference, state: 'confirming', paid_cents: 0, currency } as const),
    ...{ charged: null, mandate: null },
  }
  await keepEventStatement(db, {
    ...{ provider, eventId: `checkout:${reference}`, kind: 'payment', about: order_id, event },
    ...{ occurredAt: now, createdAt: now, reason: 'checkout_open' },
  })
  const text = `the checkout of ${order_id} cannot be closed without credentials of ${provider}`
  reportUnforeseen(new Error(text), { task: 'close checkouts' })
}

const CHECKOUTS_MAX = 50

/** Closes the checkouts that waited for the credentials of their provider. */
export function closeWaitingCheckouts(deps: Deps): Promise<void> {
  const providers = deps.payments.flatMap(({ name, finds_payments }) => (finds_payments ? [name] : []))
  return unitOfWork(deps, {
    load: () => listOpenCheckouts(deps.db, providers, CHECKOUTS_MAX),
    decide: (waiting) => ({
      effects: waiting.map(({ about, createdAt }) => closeCheckoutEffect(about, `again ${createdAt}`)),
      answer: undefined,
    }),
    sending: 'by outbox',
  })
}
