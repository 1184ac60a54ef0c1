import type { Statement } from '../../db/client.ts'
import { moveSubscriptionStatements } from '../../db/subscriptions.ts'
import type { StoredSubscription } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'

/** Closes a term that is over. What it still had of its last allowance lapses by itself. */
export function closeTermStatements(
  { db }: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  now: number,
): Statement[] {
  const fields = { endedAt: now, renewsAt: null, graceUntil: null }
  return moveSubscriptionStatements(db, subscription, 'ended', fields, { reason: 'over', now })
}
