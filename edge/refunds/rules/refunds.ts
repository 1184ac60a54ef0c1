import type { OrderState } from '../../orders/rules/states.ts'
import { DAY_MS } from '../../platform/rules/days.ts'
import { withdrawalDeadline } from './withdrawal-deadline.ts'

/** States of a refund. Contract: Refunds, Refund quote; Purchase rule 9. */
export const REFUND_STATES = [
  'requested',
  'processing',
  'succeeded',
  'failed',
  'awaiting_payout',
  'rejected',
] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const REFUND_REASONS = ['withdrawal', 'policy'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/**
 * Transitions of a refund. Card refunds start as `requested` and go through their provider. Crypto refunds and
 * refunds whose provider is no longer configured start as `awaiting_payout`, for a manual payout. So end those that a
 * provider refuses after the account was deleted, since their credits cannot come back.
 */
const TRANSITIONS: Record<RefundState, readonly RefundState[]> = {
  requested: ['processing', 'succeeded', 'failed', 'awaiting_payout'],
  processing: ['succeeded', 'failed', 'awaiting_payout'],
  awaiting_payout: ['succeeded', 'rejected'],
  succeeded: [],
  failed: [],
  rejected: [],
}

export function canTransitionRefund(from: RefundState, to: RefundState): boolean {
  return TRANSITIONS[from].includes(to)
}

export const REFUND_BLOCKS = [
  'not_settled',
  'window_closed',
  'nothing_left',
  'already_open',
  'fully_refunded',
] as const
export type RefundBlock = (typeof REFUND_BLOCKS)[number]

/** One item of an order: months of a plan, or a pack. A bundle contains both, each with a separate amount. */
export interface RefundItem {
  amount_cents: number
  /** A credited surplus of the order, whose credits are in this item. */
  surplus_cents?: number
  /** Credits delivered or still to be delivered. */
  sold: number
  /** Credits that are neither spent nor expired, including credits of undelivered months. */
  returnable: number
}

export interface RefundFacts {
  order: {
    status: OrderState
    amount_cents: number
    paid_cents: number
    credited_at: number | null
  }
  items: readonly RefundItem[]
  /** Credits spent by jobs, net of refunds. */
  credits_spent: number
  refunds: readonly { id: string; status: RefundState; amount_cents: number }[]
  windows: { withdrawal_days: number; refund_policy_days: number }
}

export interface RefundQuote {
  amount_cents: number
  paid_cents: number
  already_refunded_cents: number
  credits_sold: number
  credits_returnable: number
  credits_spent: number
  reason: RefundReason
  /**
   * When the longer of the refund window and the statutory withdrawal window closes; null if the order is not
   * settled.
   */
  deadline: number | null
  withdrawal_deadline: number | null
  blocked: RefundBlock | ''
  open_refund_id: string | null
}

export const OPEN_REFUND_STATES: RefundState[] = ['requested', 'processing', 'awaiting_payout']

export function isOpenRefund(status: RefundState): boolean {
  return OPEN_REFUND_STATES.includes(status)
}

/** Note on a refund that a bank made on behalf of the payer. */
export const CHARGEBACK_NOTE = 'chargeback'

/**
 * Returns the amount that a dispute takes back, up to the paid amount that is not yet refunded. A dispute in
 * another currency takes back all of it.
 */
export function disputedCents(
  dispute: { amount_cents: number | null; currency: string },
  order: { paid_cents: number; refunded_cents: number; currency: string },
): number {
  const left = Math.max(0, order.paid_cents - order.refunded_cents)
  if (dispute.amount_cents === null || dispute.currency !== order.currency) return left
  return Math.min(left, dispute.amount_cents)
}

/**
 * Quotes the refund of an order: for each item, the unspent fraction of the price paid. Contract: Refunds, Refund
 * quote; Purchase rule 9.
 */
export function quoteRefund(facts: RefundFacts, now: number): RefundQuote {
  const { order, items, credits_spent, refunds, windows } = facts
  const { paid_cents, credited_at } = order
  const already_refunded_cents = sum(
    refunds.filter(({ status }) => status === 'succeeded').map(({ amount_cents }) => amount_cents),
  )
  const open = refunds.find(({ status }) => isOpenRefund(status))
  const withdrawal_deadline =
    credited_at === null ? null : withdrawalDeadline(credited_at, windows.withdrawal_days)
  const deadline =
    credited_at === null || withdrawal_deadline === null
      ? null
      : Math.max(withdrawal_deadline, credited_at + windows.refund_policy_days * DAY_MS)
  const base_cents = paid_cents - sum(items.map(({ surplus_cents = 0 }) => surplus_cents))
  const returned = sum(items.map((item) => priceOfReturn(item, base_cents, order.amount_cents)))
  const amount_cents = Math.max(0, Math.min(returned, paid_cents - already_refunded_cents))
  const quote = {
    paid_cents,
    already_refunded_cents,
    credits_sold: sum(items.map(({ sold }) => sold)),
    credits_returnable: sum(items.map(({ returnable }) => returnable)),
    credits_spent,
    reason: withdrawal_deadline !== null && now <= withdrawal_deadline ? 'withdrawal' : 'policy',
    deadline,
    withdrawal_deadline,
    open_refund_id: open?.id ?? null,
  } as const
  const blocked = findBlock({ ...quote, amount_cents }, order.status, now)
  return { ...quote, amount_cents: blocked === '' ? amount_cents : 0, blocked }
}

function findBlock(
  {
    paid_cents,
    already_refunded_cents,
    amount_cents,
    open_refund_id,
    deadline,
  }: Omit<RefundQuote, 'blocked'>,
  status: OrderState,
  now: number,
): RefundQuote['blocked'] {
  if (status === 'refunded') return 'fully_refunded'
  if (deadline === null || (status !== 'paid' && status !== 'partially_refunded')) return 'not_settled'
  if (already_refunded_cents >= paid_cents) return 'fully_refunded'
  if (open_refund_id !== null) return 'already_open'
  if (now > deadline) return 'window_closed'
  return amount_cents === 0 ? 'nothing_left' : ''
}

/**
 * Returns why an order cannot be withdrawn from; null if it can. The declaration is independent of the amount, which is
 * 0 if nothing is left to refund. Contract: Refunds, Withdrawal.
 */
export function findWithdrawalBlock({
  reason,
  blocked,
}: Pick<RefundQuote, 'reason' | 'blocked'>): 'not_settled' | 'window_closed' | null {
  if (blocked === 'not_settled') return blocked
  return reason === 'withdrawal' ? null : 'window_closed'
}

/**
 * Returns the refundable share of the amount paid for an item.
 * @param base_cents what was paid for all items without a surplus.
 */
function priceOfReturn(
  { amount_cents, surplus_cents = 0, sold, returnable }: RefundItem,
  base_cents: number,
  order_cents: number,
): number {
  if (sold === 0) return 0
  // The product stays exact because cents and credits are integers below 2^26; it is rounded once at the end.
  return Math.round(((base_cents * (amount_cents / order_cents) + surplus_cents) * returnable) / sold)
}

/** Returns the state of an order after the given amount has been refunded. */
export function orderAfterRefund(paid_cents: number, refunded_cents: number): OrderState {
  return refunded_cents >= paid_cents ? 'refunded' : 'partially_refunded'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
