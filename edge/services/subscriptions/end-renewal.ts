import type { Statement } from '../../db/client.ts'
import { type Effect, effectStatement } from '../../db/outbox.ts'
import { moveSubscriptionStatements } from '../../db/subscriptions.ts'
import type { StoredSubscription } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import { canMoveRenewal } from '../../rules/renewals.ts'

/** Ends the mandate of a term that renews; its months stay as they are. Nothing where nothing is renewing. */
export function endRenewal(
  { db }: Pick<Deps, 'db'>,
  subscription: StoredSubscription,
  reason: string,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const { id, mandate, provider, renewalStatus } = subscription
  if (!canMoveRenewal(renewalStatus, 'cancelling')) return { statements: [], effects: [] }
  const effects: Effect[] =
    mandate === null ? [] : [{ id: `mandate:${id}`, kind: 'mandate', payload: { provider, mandate } }]
  const moved = moveSubscriptionStatements(
    db,
    subscription,
    'cancelling',
    { renewsAt: null },
    { reason, now },
  )
  return {
    statements: [...moved, ...effects.map((effect) => effectStatement(db, effect, now))],
    effects,
  }
}
