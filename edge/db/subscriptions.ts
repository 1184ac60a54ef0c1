import { and, eq, isNull } from 'drizzle-orm'
import { canMoveRenewal, type RenewalState } from '../rules/renewals.ts'
import type { Database, Statement } from './client.ts'
import { subscriptionMoves, subscriptions } from './schema.ts'
import type { StoredSubscription } from './terms.ts'

/** What changes of a term with a move, besides its state. */
export type TermFields = Partial<
  Pick<StoredSubscription, 'renewsAt' | 'graceUntil' | 'endedAt' | 'periodEnd' | 'noticedFor'>
>

/**
 * Moves a term on, or notes under the state it is in that it changed. Of two changes that start from the
 * same one only one commits; the other loses the race. Throws for a move that there is none of.
 */
export function moveTermStatements(
  db: Database,
  { id, moves, renewalStatus: from }: StoredSubscription,
  { renewalStatus = from, ...fields }: TermFields & { renewalStatus?: RenewalState },
  reason: string,
  now: number,
): Statement[] {
  if (renewalStatus !== from && !canMoveRenewal(from, renewalStatus)) {
    throw new Error(`a term cannot go from ${from} to ${renewalStatus}`)
  }
  const number = moves + 1
  return [
    db
      .insert(subscriptionMoves)
      .values({ subscriptionId: id, number, renewalStatus, reason, createdAt: now }),
    db
      .update(subscriptions)
      .set({ ...fields, renewalStatus, moves: number })
      .where(eq(subscriptions.id, id)),
  ]
}
