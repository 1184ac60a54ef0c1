import type { SessionCaller } from '../../accounts/rules/caller.ts'
import { dateOf, dayOf } from '../../platform/rules/days.ts'

/** The scope of figures: one account or the whole platform. */
export type Scope = { kind: 'own'; account_id: number } | { kind: 'platform' }

/** Returns the scope. Administrators see the platform's figures unless they ask for their own. */
export function scopeOf({ account }: SessionCaller, mine: boolean): Scope {
  return account.is_admin && !mine ? { kind: 'platform' } : { kind: 'own', account_id: account.id }
}

/** Totals of usage events. `spent` and `refunded` are in credits. */
export interface UsageSums {
  submissions: number
  done: number
  failed: number
  canceled: number
  spent: number
  refunded: number
  /** Total processing time of the finished jobs for which it was measured, and the number of those jobs. */
  processing_ms: number
  measured: number
}

/** Returns the first day of a window that ends today. */
export function firstDay(now: number, days: number): number {
  return dayOf(now) - days + 1
}

/** Returns one point for each day of the window, oldest first. Days without totals are zero. */
export function pointsOf(sums: readonly (UsageSums & { day: number })[], now: number, days: number) {
  const byDay = new Map(sums.map((sum) => [sum.day, sum]))
  const first = firstDay(now, days)
  return Array.from({ length: days }, (_, index) => {
    const sum = byDay.get(first + index)
    return {
      date: dateOf(first + index),
      submissions: sum?.submissions ?? 0,
      credits: sum === undefined ? 0 : sum.spent - sum.refunded,
      done: sum?.done ?? 0,
      failed: sum?.failed ?? 0,
    }
  })
}

/** Returns the average in seconds; null if nothing was measured. */
export function averageSeconds({ processing_ms, measured }: UsageSums): number | null {
  return measured === 0 ? null : Math.round(processing_ms / measured) / 1000
}

/** The number of deliveries in one state. */
export interface CountedDeliveries {
  status: 'pending' | 'delivered' | 'failed'
  /** True if at least one attempt was made. */
  tried: boolean
  total: number
}

/** Counts delivered and failing webhooks. Those with a failed attempt are failing, even if they will be retried. */
export function countWebhooks(counted: readonly CountedDeliveries[]) {
  const sum = (isCounted: (delivery: CountedDeliveries) => boolean) =>
    counted.filter(isCounted).reduce((total, delivery) => total + delivery.total, 0)
  return {
    delivered: sum(({ status }) => status === 'delivered'),
    failing: sum(({ status, tried }) => status === 'failed' || (status === 'pending' && tried)),
  }
}

const PATH_LENGTH_MAX = 200

/**
 * Returns the path to log, always without the query. If an id or token in the path grants access, as it does for
 * anonymous jobs, returns the route pattern instead. If no route matches, any later segment of an anonymous request may
 * be a token, so only the first three segments remain, such as `/api/v1/jobs`.
 * @param pattern the route pattern, such as `/api/v1/jobs/:job_id`; null if there is none.
 */
export function loggedPath(path: string, pattern: string | null, isAnonymous: boolean): string {
  const opens = isAnonymous || /:token(\/|$)/.test(pattern ?? '')
  return (opens ? (pattern ?? beginningOf(path)) : path).slice(0, PATH_LENGTH_MAX).toWellFormed()
}

function beginningOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  return `/${segments.slice(0, 3).join('/')}${segments.length > 3 ? '/…' : ''}`
}
