import { canTransitionOrder, type OrderState } from './states.ts'

/** Reported state of a payment. `declined`: the customer may retry on the same order. */
export interface PaymentReport {
  state: 'confirming' | 'paid' | 'partially_paid' | 'declined' | 'expired' | 'failed'
  /** Total received so far, in the currency of the order. */
  paid_cents: number
}

export interface PayableOrder {
  status: OrderState
  amount_cents: number
  actually_paid_cents: number
  /** Part of the received amount that an administrator refused; it no longer counts. */
  refused_cents: number
}

export interface PaymentDecision {
  /** null: the state does not change. */
  next_status: OrderState | null
  actually_paid_cents: number
  /** Resumes polling: money may be on its way to an order that was given up. */
  ask_again: boolean
  /** An anomaly for the operator to check; null without one. */
  fault: string | null
}

/**
 * Decides how a payment event changes an order, for events in any order and any number: paid wins, states
 * never go back, and received money is never forgotten. An underpayment is not credited automatically,
 * whatever the provider calls it; further money for a refused order waits for an administrator again.
 * Contract: Purchases, Order states.
 * @param kind kind of the provider: crypto payments may be short; a short card payment indicates a fault.
 */
export function decidePayment(
  order: PayableOrder,
  report: PaymentReport,
  kind: 'card' | 'crypto',
): PaymentDecision {
  const isMoney = report.state === 'paid' || report.state === 'partially_paid'
  const arrived = Math.max(order.actually_paid_cents, isMoney ? report.paid_cents : 0)
  const wanted = stateAfter(report, arrived - order.refused_cents, order.amount_cents)
  const next_status = wanted !== null && canTransitionOrder(order.status, wanted) ? wanted : null
  return {
    next_status,
    actually_paid_cents: arrived,
    ask_again: report.state === 'confirming' && (order.status === 'expired' || order.status === 'failed'),
    fault: findFault(order.amount_cents, arrived, isMoney, kind),
  }
}

/**
 * Picks the state for a received amount.
 * @param arrived the received amount that counts.
 */
function stateAfter({ state }: PaymentReport, arrived: number, amount: number): OrderState | null {
  if (state === 'declined') return null
  if (state !== 'paid' && state !== 'partially_paid') return state
  if (arrived >= amount) return 'paid'
  return arrived > 0 ? 'partially_paid' : null
}

function findFault(amount_cents: number, arrived: number, isMoney: boolean, kind: 'card' | 'crypto') {
  const isShort = isMoney && kind === 'card' && arrived < amount_cents
  return isShort ? `a card paid ${arrived} of ${amount_cents} cents` : null
}

/** Returns the received amount that counts for an order, at most its price. */
export function countedCents(order: {
  actuallyPaidCents: number
  refusedCents: number
  amountCents: number
}): number {
  return Math.min(order.actuallyPaidCents - order.refusedCents, order.amountCents)
}
