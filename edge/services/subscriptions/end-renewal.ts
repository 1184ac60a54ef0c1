import type { Statement } from '../../db/client.ts'
import { type Effect, effectStatement } from '../../db/outbox.ts'
import { moveTermStatements } from '../../db/subscriptions.ts'
import type { StoredSubscription } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import { isRenewing } from '../../rules/subscriptions.ts'
import { endMandateEffect } from './mandate.ts'

/**
 * Ends the renewal of a term and its mandate at the provider; the months that are paid for stay. Nothing
 * where nothing renews. Purchase rule 8.
 * @param reason why, for those who read the moves later.
 * @returns the statements of the commit, and what of them may be carried out as soon as it stands.
 */
export function endRenewal(
  { db }: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  reason: string,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const { provider, mandate, renewalStatus } = subscription
  if (!isRenewing(renewalStatus)) return { statements: [], effects: [] }
  const effects = mandate === null ? [] : [endMandateEffect({ provider, mandate })]
  return {
    statements: [
      ...moveTermStatements(db, subscription, { renewalStatus: 'cancelling', renewsAt: null }, reason, now),
      ...effects.map((effect) => effectStatement(db, effect, now)),
    ],
    effects,
  }
}
