import type { Statement } from '../../db/client.ts'
import type { Effect } from '../../db/outbox.ts'
import type { StoredSubscription } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import { endMandate } from '../../rules/subscriptions.ts'
import { moveTerm, termOf } from './move.ts'

/**
 * Ends the renewal of a term and its mandate at the provider; the months that are paid for stay. Nothing
 * where nothing renews. Purchase rule 8.
 * @returns the statements of the commit, and what of them may be carried out as soon as it stands.
 */
export function endRenewal(
  deps: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  reason: string,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const move = endMandate(termOf(subscription))
  return move === null ? { statements: [], effects: [] } : moveTerm(deps, subscription, move, reason, now)
}
