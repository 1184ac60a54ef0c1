import type { Statement } from '../../db/client.ts'
import { effectStatement } from '../../db/outbox.ts'
import { moveTermStatements } from '../../db/subscriptions.ts'
import type { StoredSubscription } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import { endedAt, isRenewing } from '../../rules/subscriptions.ts'
import { endMandateEffect } from './mandate.ts'

/**
 * Closes a term that is over; the account may hold another one then. A mandate that still stands behind it
 * is ended by the outbox. To be committed with the delivery of the months that were due: a term that is
 * closed delivers none.
 */
export function closeTermStatements(
  { db }: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  now: number,
): Statement[] {
  const { provider, mandate, renewalStatus } = subscription
  const ends = mandate !== null && isRenewing(renewalStatus) ? [endMandateEffect({ provider, mandate })] : []
  const fields = { renewalStatus: 'ended' as const, renewsAt: null, endedAt: endedAt(stateOf(subscription), now) }
  return [
    ...moveTermStatements(db, subscription, fields, 'over', now),
    ...ends.map((effect) => effectStatement(db, effect, now)),
  ]
}

/** What of a stored term decides how long it gives access. */
export function stateOf({ renewalStatus, periodEnd, graceUntil }: StoredSubscription) {
  return { renewal_status: renewalStatus, period_end: periodEnd, grace_until: graceUntil }
}
