import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { closeTerm as decideClose } from './rules/renewal.ts'
import type { StoredSubscription } from './term-queries.ts'
import { termOf, termTransition } from './transition.ts'

/**
 * Closes an ended term so that the account can start another one; the outbox ends any remaining mandate. Commit
 * this together with the delivery of due months, because a closed term delivers none.
 */
export function closeTerm(
  deps: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  return termTransition(deps, subscription, decideClose(termOf(subscription), now), 'over', now)
}
