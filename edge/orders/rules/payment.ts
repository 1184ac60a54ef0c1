import type { ProviderKind } from '../../payments/rules/provider-kind.ts'
import { canTransitionOrder, type OrderState } from './states.ts'

/** The reported state of a payment. `declined` means that the customer may retry on the same order. */
export interface PaymentReport {
  state: 'confirming' | 'paid' | 'partially_paid' | 'declined' | 'expired' | 'failed'
  /** Total received so far, in the order's currency. */
  paid_cents: number
}

export interface PayableOrder {
  status: OrderState
  amount_cents: number
  actually_paid_cents: number
  /** The part of the received amount that an administrator refused, which no longer counts. */
  refused_cents: number
}

export interface PaymentDecision {
  /** null if the state does not change. */
  next_status: OrderState | null
  actually_paid_cents: number
  /** Resumes polling, because money may be on its way to an expired or failed order. */
  ask_again: boolean
  /** An anomaly for the operator to check; null if there is none. */
  fault: string | null
}

/**
 * Decides how a payment event changes an order. Events may arrive in any order and any number of times: paid always
 * wins, states never go back, and received money is never forgotten. An underpayment is not credited automatically,
 * whatever the provider calls it. If more money arrives for a refused order, it waits for an administrator again.
 * Contract: Purchases, Order states.
 * @param kind the kind of provider: crypto payments may fall short, but a short card payment indicates a fault.
 */
export function decidePayment(
  order: PayableOrder,
  report: PaymentReport,
  kind: ProviderKind,
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
 * Returns the state that a reported payment calls for, or null for no change.
 * @param arrived the received amount that counts.
 */
function stateAfter({ state }: PaymentReport, arrived: number, amount: number): OrderState | null {
  if (state === 'declined') return null
  if (state !== 'paid' && state !== 'partially_paid') return state
  if (arrived >= amount) return 'paid'
  return arrived > 0 ? 'partially_paid' : null
}

function findFault(amount_cents: number, arrived: number, isMoney: boolean, kind: ProviderKind) {
  const isShort = isMoney && kind === 'card' && arrived < amount_cents
  return isShort ? `a card paid ${arrived} of ${amount_cents} cents` : null
}

/** The money of an order, and what it was used for. */
export interface OrderMoney {
  amountCents: number
  actuallyPaidCents: number
  refusedCents: number
  undeliveredCents: number
  surplusCreditedCents: number
}

/** Returns how much of the received amount counts for an order: up to its price, and a surplus that was credited. */
export function countedCents(order: OrderMoney): number {
  return Math.min(order.actuallyPaidCents - order.refusedCents, usableCents(order))
}

/** Returns the money for which the order delivers: its price, without what it left out, and a credited surplus. */
export function usableCents({ amountCents, undeliveredCents, surplusCreditedCents }: OrderMoney): number {
  return amountCents - undeliveredCents + surplusCreditedCents
}

/** Returns the received money that a delivered order has no use for, and that waits for an administrator. */
export function surplusCents(order: OrderMoney & { creditedAt: number | null }): number {
  if (order.creditedAt === null) return 0
  return Math.max(0, order.actuallyPaidCents - order.refusedCents - usableCents(order))
}
