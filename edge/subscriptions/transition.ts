import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { endMandateEffect } from './end-mandate.ts'
import { termTransitionStatements } from './queries.ts'
import type { RenewingTerm, TermTransition } from './rules/renewal.ts'
import type { StoredSubscription } from './term-queries.ts'

/** Returns the fields of a stored term that determine its transitions. */
export function termOf(subscription: StoredSubscription): RenewingTerm {
  const { renewalStatus, periodEnd, graceUntil, renewsAt } = subscription
  return {
    renewal_status: renewalStatus,
    period_end: periodEnd,
    grace_until: graceUntil,
    renews_at: renewsAt,
  }
}

/** Returns a stored term as it is after a transition, except for the transition number. */
export function afterTransition(
  subscription: StoredSubscription,
  transition: TermTransition,
): StoredSubscription {
  return { ...subscription, ...fieldsOf(transition) }
}

function fieldsOf({ renewal_status, renews_at, grace_until, ended_at }: TermTransition) {
  return {
    renewalStatus: renewal_status,
    renewsAt: renews_at,
    graceUntil: grace_until,
    endedAt: ended_at,
  }
}

/**
 * Returns the statements of a transition, and the effect that ends the mandate if it must end.
 * @param reason recorded with the transition.
 */
export function termTransition(
  { db }: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  transition: TermTransition,
  reason: string,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const { provider, mandate } = subscription
  const effects = transition.ends_mandate && mandate !== null ? [endMandateEffect({ provider, mandate })] : []
  return {
    statements: termTransitionStatements(db, subscription, fieldsOf(transition), reason, now),
    effects,
  }
}
