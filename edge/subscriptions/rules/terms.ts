import type { PlanLimits } from '../../accounts/rules/limits.ts'
import { DAY_MS } from '../../platform/rules/days.ts'
import type { RenewalState } from './states.ts'

/**
 * A term of a plan: months that are bought ahead and delivered one at a time.
 * Contract: Subscriptions, Months of a term; Plan routing; Credits, Kinds and expiry.
 */
export interface TermMonth {
  /** From 1, in the order of purchase. */
  number: number
  order_id: string
  credits: number
  starts_at: number
  ends_at: number
  delivered: boolean
}

/** What an order of a plan buys. */
export interface BoughtMonths {
  order_id: string
  months: number
  credits_per_month: number
  /** The length of a month. */
  period_days: number
}

/**
 * The months that an order adds behind those a term has; a term that opens begins now. So does one whose
 * renewal came so late that its first month would be over before it is delivered.
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

/** When access ends by the months alone; null where there are none. */
export function endOf(months: readonly TermMonth[]): number | null {
  return months.length === 0 ? null : Math.max(...months.map(({ ends_at }) => ends_at))
}

/** The months that are still to be delivered by now, the earliest first. */
export function dueMonths(months: readonly TermMonth[], now: number): TermMonth[] {
  return months
    .filter(({ delivered, starts_at }) => !delivered && starts_at <= now)
    .sort((one, other) => one.starts_at - other.starts_at)
}

/**
 * The months of an order that were not handed out are withdrawn; what others bought behind them moves up.
 * Contract: Purchase rule 11.
 */
export function withdrawMonths(months: readonly TermMonth[], orderId: string) {
  const withdrawn = months.filter(({ delivered, order_id }) => !delivered && order_id === orderId)
  const kept = months.filter((month) => !withdrawn.includes(month))
  return { withdrawn, kept: closeGaps(kept) }
}

/** Dates what is not delivered yet one month after another, in the order of purchase, behind what is. */
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

/** What decides how long a term gives access. */
export interface TermState {
  renewal_status: RenewalState
  period_end: number
  grace_until: number | null
}

/** So long a charge may be on its way before it counts as one that failed. */
export const CHARGE_PATIENCE_MS = DAY_MS

/**
 * Access goes on while a renewal is on its way, and until the grace of one that failed is over: who was
 * promised it keeps it, whatever becomes of the mandate meanwhile.
 */
export function accessEnd({ renewal_status, period_end, grace_until }: TermState): number {
  const end = Math.max(period_end, grace_until ?? period_end)
  return renewal_status === 'active' ? Math.max(end, period_end + CHARGE_PATIENCE_MS) : end
}

/** A running term, as loaded with an account's credits. */
export interface RunningTerm extends TermState {
  id: string
  plan_id: number
  plan_name: string
  limits: PlanLimits
  /** Those that were not delivered, the earliest first. */
  undelivered: readonly TermMonth[]
}

export function isRunning<Term extends TermState>(term: Term | null, now: number): term is Term {
  return term !== null && now < accessEnd(term)
}
