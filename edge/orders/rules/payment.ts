import { canMoveOrder, type OrderState } from './states.ts'

/** What is told of an order's payment. `declined`: the person may try again on the same order. */
export interface PaymentReport {
  state: 'confirming' | 'paid' | 'partially_paid' | 'declined' | 'expired' | 'failed'
  /** What has arrived so far, in the order's currency. */
  paid_cents: number
}

export interface PayableOrder {
  status: OrderState
  amount_cents: number
  actually_paid_cents: number
  /** Of what arrived, the part that an administrator refused: it no longer counts. */
  refused_cents: number
}

export interface PaymentDecision {
  /** null: the order stays where it is. */
  moves_to: OrderState | null
  actually_paid_cents: number
  /** Money may be on its way to an order that was given up: its provider is to be asked again. */
  ask_again: boolean
  /** What must not happen, for the operator to look at; null where all is well. */
  fault: string | null
}

/**
 * Decides what a payment event does to an order, in whatever order and however often events come: paid wins,
 * nothing goes backwards, and money that was seen is never forgotten. Less than the amount is not credited
 * automatically, whatever the provider calls it; more money for a refused order waits for an administrator
 * again. Contract: Purchases, Order states.
 * @param kind of the provider: a crypto payment may be short; a card's that is points at a fault.
 */
export function decidePayment(
  order: PayableOrder,
  report: PaymentReport,
  kind: 'card' | 'crypto',
): PaymentDecision {
  const isMoney = report.state === 'paid' || report.state === 'partially_paid'
  const arrived = Math.max(order.actually_paid_cents, isMoney ? report.paid_cents : 0)
  const wanted = stateAfter(report, arrived - order.refused_cents, order.amount_cents)
  const moves_to = wanted !== null && canMoveOrder(order.status, wanted) ? wanted : null
  return {
    moves_to,
    actually_paid_cents: arrived,
    ask_again: report.state === 'confirming' && (order.status === 'expired' || order.status === 'failed'),
    fault: findFault(order.amount_cents, arrived, isMoney, kind),
  }
}

/** @param arrived what counts of the money that arrived. */
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

/** What counts of the money that arrived for an order, at most its price. */
export function countedCents(order: {
  actuallyPaidCents: number
  refusedCents: number
  amountCents: number
}): number {
  return Math.min(order.actuallyPaidCents - order.refusedCents, order.amountCents)
}
