import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { closeTerm as decideClose } from './rules/renewal.ts'
import type { StoredSubscription } from './term-queries.ts'
import { moveTerm, termOf } from './transition.ts'

/**
 * Closes a term that is over; the account may hold another one then. A mandate that still stands behind it
 * is ended by the outbox. To be committed with the delivery of the months that were due: a term that is
 * closed delivers none.
 */
export function closeTerm(
  deps: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  return moveTerm(deps, subscription, decideClose(termOf(subscription), now), 'over', now)
}
