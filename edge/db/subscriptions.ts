import { eq } from 'drizzle-orm'
import { canMoveRenewal, type RenewalState } from '../rules/renewals.ts'
import type { Database, Statement } from './client.ts'
import { subscriptionMoves, subscriptions } from './schema.ts'
import type { StoredSubscription } from './terms.ts'

/** What changes of a subscription besides the state of its renewal. */
export type SubscriptionFields = Partial<
  Pick<StoredSubscription, 'periodEnd' | 'renewsAt' | 'graceUntil' | 'noticedFor' | 'endedAt' | 'mandate'>
>

/**
 * Moves the renewal of a subscription on; of two moves from the same state only one commits. Throws for a
 * move there is none of.
 */
export function moveSubscriptionStatements(
  db: Database,
  subscription: StoredSubscription,
  status: RenewalState,
  fields: SubscriptionFields,
  { reason, now }: { reason: string; now: number },
): Statement[] {
  if (!canMoveRenewal(subscription.renewalStatus, status)) {
    throw new Error(`a renewal cannot go from ${subscription.renewalStatus} to ${status}`)
  }
  const number = subscription.moves + 1
  return [
    db.insert(subscriptionMoves).values({
      subscriptionId: subscription.id,
      number,
      renewalStatus: status,
      reason,
      createdAt: now,
    }),
    db
      .update(subscriptions)
      .set({ ...fields, renewalStatus: status, moves: number })
      .where(eq(subscriptions.id, subscription.id)),
  ]
}
