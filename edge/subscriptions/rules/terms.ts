import type { PlanLimits } from '../../accounts/rules/limits.ts'
import { DAY_MS } from '../../platform/rules/days.ts'
import type { RenewalState } from './states.ts'

/**
 * A term of a plan: months that are bought in advance and delivered one at a time. Contract: Subscriptions, Months
 * of a term; Plan routing; Credits, Kinds and expiry.
 */
export interface TermMonth {
  /** Starts at 1, in order of purchase. */
  number: number
  order_id: string
  credits: number
  starts_at: number
  ends_at: number
  delivered: boolean
}

/** The months of a plan that an order contains. */
export interface BoughtMonths {
  order_id: string
  months: number
  credits_per_month: number
  /** Length of one month. */
  period_days: number
}

/**
 * Returns the months that an order appends to a term. A new term starts now, and so does a renewal that comes so
 * late that its first month would have ended before delivery.
 */
export function addMonths(held: readonly TermMonth[], bought: BoughtMonths, now: number): TermMonth[] {
  const length_ms = bought.period_days * DAY_MS
  const end = endOf(held)
  const start = end !== null && now < end + length_ms ? end : now
  const last = Math.max(0, ...held.map(({ number }) => number))
  return Array.from({ length: bought.months }, (_, index) => ({
    number: last + 1 + index,
    order_id: bought.order_id,
    credits: bought.credits_per_month,
    starts_at: start + index * length_ms,
    ends_at: start + (index + 1) * length_ms,
    delivered: false,
  }))
}

/** Returns when the last month ends; null if there are no months. */
export function endOf(months: readonly TermMonth[]): number | null {
  return months.length === 0 ? null : Math.max(...months.map(({ ends_at }) => ends_at))
}

/** Returns the months that are due for delivery, earliest first. */
export function dueMonths(months: readonly TermMonth[], now: number): TermMonth[] {
  return months
    .filter(({ delivered, starts_at }) => !delivered && starts_at <= now)
    .sort((one, other) => one.starts_at - other.starts_at)
}

/** Withdraws an order's undelivered months. Later months of other orders move up. Contract: Purchase rule 11. */
export function withdrawMonths(months: readonly TermMonth[], orderId: string) {
  const withdrawn = months.filter(({ delivered, order_id }) => !delivered && order_id === orderId)
  const kept = months.filter((month) => !withdrawn.includes(month))
  return { withdrawn, kept: closeGaps(kept) }
}

/** Schedules undelivered months one after another, following the delivered ones, in order of purchase. */
export function closeGaps(months: readonly TermMonth[]): TermMonth[] {
  const delivered = months.filter((month) => month.delivered)
  const ordered = [...months].sort((one, other) => one.number - other.number)
  let end = endOf(delivered)
  const dated = ordered
    .filter((month) => !month.delivered)
    .map((month) => {
      const starts_at: number = end ?? month.starts_at
      end = starts_at + month.ends_at - month.starts_at
      return { ...month, starts_at, ends_at: end }
    })
  return [...delivered, ...dated].sort((one, other) => one.number - other.number)
}

/** The facts that determine how long a term gives access. */
export interface TermState {
  renewal_status: RenewalState
  period_end: number
  grace_until: number | null
}

/** A charge counts as failed if it is not reported within this time after its due date. */
export const CHARGE_PATIENCE_MS = DAY_MS

/**
 * Returns when access ends. Access continues while a renewal is pending and during the grace period of a failed
 * one, even if the mandate ends in the meantime.
 */
export function accessEnd({ renewal_status, period_end, grace_until }: TermState): number {
  const end = Math.max(period_end, grace_until ?? period_end)
  return renewal_status === 'active' ? Math.max(end, period_end + CHARGE_PATIENCE_MS) : end
}

/** A running term as loaded together with an account's credits. */
export interface RunningTerm extends TermState {
  id: string
  plan_id: number
  plan_name: string
  limits: PlanLimits
  /** Undelivered months, earliest first. */
  undelivered: readonly TermMonth[]
}

export function isRunning<Term extends TermState>(term: Term | null, now: number): term is Term {
  return term !== null && now < accessEnd(term)
}
