import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { settleAll } from '../platform/settle-all.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { handlePayment } from './handle-payment.ts'
import {
  claimDueOrders,
  findOrder,
  orderTransitionStatements,
  type StoredOrder,
  stopPollingStatement,
} from './queries.ts'
import { judgePoll, judgeSilence, pollPauseMs } from './rules/polling.ts'
import type { OrderState } from './rules/states.ts'

const ORDERS_MAX = 50

/**
 * Polls providers, with increasing pauses, about orders that have had no events, and expires unpaid orders. Runs
 * can overlap: each claims an order by first scheduling its next poll.
 */
export async function pollOrders(deps: Deps): Promise<void> {
  const due = await claimDueOrders(deps.db, deps.clock.now(), ORDERS_MAX, pollPauseMs)
  await settleAll(due.map((order) => pollOrder(deps, order)))
}

async function pollOrder(deps: Deps, order: StoredOrder): Promise<void> {
  const now = deps.clock.now()
  const verdict = judgePoll(polled(order, order.status), now)
  if (verdict !== 'ask') return giveUp(deps, order, verdict)
  const { status, is_coming } = await askProvider(deps, order)
  return giveUp(deps, order, judgeSilence(polled(order, status), is_coming, now))
}

function polled(order: StoredOrder, status: OrderState) {
  return { status, provider_reference: order.providerReference, created_at: order.createdAt }
}

/**
 * Polls the provider about one order, if it can be asked. Throws if the provider does not respond; the order is then
 * polled again later.
 */
async function askProvider(deps: Deps, { id, status, provider: name, providerReference }: StoredOrder) {
  const provider = deps.payments.find((candidate) => candidate.name === name)
  if (!provider?.finds_payments || providerReference === null) return { status, is_coming: false }
  const reported = await provider.findPayment({ order_id: id, reference: providerReference })
  if (reported === null) return { status, is_coming: false }
  const moved = await handlePayment(deps, provider, { ...reported, order_id: id }, null)
  return { status: moved ?? status, is_coming: reported.state === 'confirming' }
}

function giveUp(deps: Deps, { id, polls }: StoredOrder, verdict: 'expire' | 'stop' | 'wait'): Promise<void> {
  if (verdict === 'wait') return Promise.resolve()
  if (verdict === 'stop') return commit(deps.db, [stopPollingStatement(deps.db, id, polls)])
  return unitOfWork(deps, {
    load: () => findOrder(deps.db, id),
    decide: (order, now) => {
      if (order?.status !== 'waiting' && order?.status !== 'confirming') return { answer: undefined }
      const statements = orderTransitionStatements(deps.db, order, 'expired', { nextPollAt: null }, now)
      return { statements, answer: undefined }
    },
  })
}
