import type { SessionCaller } from '../../accounts/rules/caller.ts'
import { dateOf, dayOf } from '../../platform/rules/days.ts'

/** Whose figures: one account's, or those of all together. */
export type Scope = { kind: 'own'; account_id: number } | { kind: 'platform' }

/** Everybody sees their own figures; an administrator sees everybody's, unless only the own are wanted. */
export function scopeOf({ account }: SessionCaller, mine: boolean): Scope {
  return account.is_admin && !mine ? { kind: 'platform' } : { kind: 'own', account_id: account.id }
}

/** What was added up of usage events. `spent` and `refunded` are credits. */
export interface UsageSums {
  submissions: number
  done: number
  failed: number
  canceled: number
  spent: number
  refunded: number
  /** Of the jobs that are done, where it was measured, and how many those are. */
  processing_ms: number
  measured: number
}

/** The first day of a window that ends today. */
export function firstDay(now: number, days: number): number {
  return dayOf(now) - days + 1
}

/** One point for each day of the window, the oldest first; nothing happened on days without sums. */
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

/** null where no time was measured. */
export function averageSeconds({ processing_ms, measured }: UsageSums): number | null {
  return measured === 0 ? null : Math.round(processing_ms / measured) / 1000
}

/** Deliveries in one state. */
export interface CountedDeliveries {
  status: 'pending' | 'delivered' | 'failed'
  /** Whether anything was tried yet. */
  tried: boolean
  total: number
}

/** A webhook is failing once an attempt came to nothing, whether more are to follow or not. */
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
 * What a log keeps of a request's path: never its query. Where an id or a token opens a thing to whoever
 * has it, as that of an anonymous job does, the endpoint's own path is kept in its place.
 * @param pattern the endpoint's path, as `/api/v1/jobs/:job_id`; null where there is none.
 */
export function loggedPath(path: string, pattern: string | null, isAnonymous: boolean): string {
  const opens = pattern !== null && (isAnonymous || /:token(\/|$)/.test(pattern))
  return (opens ? pattern : path).slice(0, PATH_LENGTH_MAX)
}
