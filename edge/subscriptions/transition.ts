import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { endMandateEffect } from './end-mandate.ts'
import { moveTermStatements } from './queries.ts'
import type { RenewingTerm, TermMove } from './rules/renewal.ts'
import type { StoredSubscription } from './term-queries.ts'

/** What of a stored term its moves are decided by. */
export function termOf(subscription: StoredSubscription): RenewingTerm {
  const { renewalStatus, periodEnd, graceUntil, renewsAt } = subscription
  return {
    renewal_status: renewalStatus,
    period_end: periodEnd,
    grace_until: graceUntil,
    renews_at: renewsAt,
  }
}

/** A term as it is after a move, but for the number of the move. */
export function afterMove(subscription: StoredSubscription, move: TermMove): StoredSubscription {
  return { ...subscription, ...fieldsOf(move) }
}

function fieldsOf({ renewal_status, renews_at, grace_until, ended_at }: TermMove) {
  return {
    renewalStatus: renewal_status,
    renewsAt: renews_at,
    graceUntil: grace_until,
    endedAt: ended_at,
  }
}

/**
 * The statements of a move, and the end of the mandate where it ends. @param reason why, for those who read the moves later.
 */
export function moveTerm(
  { db }: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  move: TermMove,
  reason: string,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const { provider, mandate } = subscription
  const effects = move.ends_mandate && mandate !== null ? [endMandateEffect({ provider, mandate })] : []
  return {
    statements: moveTermStatements(db, subscription, fieldsOf(move), reason, now),
    effects,
  }
}
