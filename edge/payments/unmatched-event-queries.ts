import { and, desc, eq, exists, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { subscriptions, unmatchedEvents } from '../tables.ts'
import type { EventOutcome } from './rules/unmatched-events.ts'

export type UnmatchedEvent = typeof unmatchedEvents.$inferSelect
type NewEvent = Omit<typeof unmatchedEvents.$inferInsert, 'id'>

/** Saves an event. A repeated event changes nothing. */
export function keepEventStatement(db: Database, event: NewEvent) {
  return db.insert(unmatchedEvents).values(event).onConflictDoNothing()
}

const isOpen = isNull(unmatchedEvents.settledAt)
/** Money for a deleted account is never applied to a term. */
const isApplicable = and(isOpen, ne(unmatchedEvents.reason, 'account_deleted'))

/**
 * Settles the open events of a payment, except the one that is paid back, or else the one with the highest amount.
 * Amounts are running totals, so they must not be granted twice.
 */
export function supersedeStatement(
  db: Database,
  { provider, about, reference, now }: { provider: string; about: string; reference: string; now: number },
): Statement {
  const isOfPayment = sql`provider = ${provider} AND about = ${about} AND kind = 'payment'
    AND event ->> 'reference' = ${reference}`
  const fullest = sql`(SELECT id FROM unmatched_events WHERE ${isOfPayment}
    ORDER BY payback IS NULL, event ->> 'paid_cents' DESC, id LIMIT 1)`
  return db
    .update(unmatchedEvents)
    .set({ settlements: sql`${unmatchedEvents.settlements} + 1`, settledAt: now, outcome: 'superseded' })
    .where(and(isOpen, sql`${isOfPayment} AND id <> ${fullest}`))
}

/** Lists open events of mandates that now belong to a term, oldest first. */
export function listMatchedEvents(
  db: Database,
  { provider, mandate, limit }: { provider?: string; mandate?: string; limit: number },
): Promise<UnmatchedEvent[]> {
  const { provider: ownProvider, about } = unmatchedEvents
  const term = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.provider, ownProvider), eq(subscriptions.mandate, about)))
  return db
    .select()
    .from(unmatchedEvents)
    .where(
      and(
        isApplicable,
        provider === undefined ? undefined : eq(ownProvider, provider),
        mandate === undefined ? undefined : eq(about, mandate),
        exists(term),
      ),
    )
    .orderBy(unmatchedEvents.occurredAt, unmatchedEvents.id)
    .limit(limit)
}

/** Lists open events of mandates, oldest first, that follow the given one. */
export function listOpenMandateEvents(
  db: Database,
  after: UnmatchedEvent | null,
  limit: number,
): Promise<UnmatchedEvent[]> {
  const { occurredAt, id } = unmatchedEvents
  const isLater =
    after === null ? undefined : sql`(${occurredAt}, ${id}) > (${after.occurredAt}, ${after.id})`
  return db
    .select()
    .from(unmatchedEvents)
    .where(and(isApplicable, ne(unmatchedEvents.kind, 'payment'), isLater))
    .orderBy(unmatchedEvents.occurredAt, unmatchedEvents.id)
    .limit(limit)
}

/** Lists either the open or the settled events, newest first. */
export function listUnmatchedEvents(
  db: Database,
  { settled, limit, offset }: { settled: boolean; limit: number; offset: number },
): Promise<UnmatchedEvent[]> {
  return db
    .select()
    .from(unmatchedEvents)
    .where(settled ? isNotNull(unmatchedEvents.settledAt) : isOpen)
    .orderBy(desc(unmatchedEvents.id))
    .limit(limit)
    .offset(offset)
}

export async function findUnmatchedEvent(db: Database, id: number): Promise<UnmatchedEvent | undefined> {
  const [event] = await db.select().from(unmatchedEvents).where(eq(unmatchedEvents.id, id))
  return event
}

/** Settles an event. If it was already settled, the commit loses the race. */
export function settleEventStatement(
  db: Database,
  id: number,
  { outcome, note, now }: { outcome: EventOutcome; note: string | null; now: number },
): Statement {
  return db
    .update(unmatchedEvents)
    .set({ settlements: sql`${unmatchedEvents.settlements} + 1`, settledAt: now, outcome, note })
    .where(eq(unmatchedEvents.id, id))
}

const isOpenCheckout = and(isOpen, eq(unmatchedEvents.reason, 'checkout_open'))

/** Lists the checkouts of these providers that could not be closed. */
export function listOpenCheckouts(
  db: Database,
  providers: string[],
  limit: number,
): Promise<UnmatchedEvent[]> {
  return db
    .select()
    .from(unmatchedEvents)
    .where(and(isOpenCheckout, inArray(unmatchedEvents.provider, providers)))
    .limit(limit)
}

/** Settles the event of a checkout that could not be closed before, if there is one. */
export function settleCheckoutStatement(db: Database, about: string, now: number) {
  return db
    .update(unmatchedEvents)
    .set({ settlements: sql`${unmatchedEvents.settlements} + 1`, settledAt: now, outcome: 'closed' })
    .where(and(isOpenCheckout, eq(unmatchedEvents.about, about)))
}

/** Deletes old open events that carry no money, because the payment they were waiting for will not arrive. */
export async function removeStaleEvents(db: Database, before: number): Promise<void> {
  const { kind, createdAt, event } = unmatchedEvents
  const isUnpaid = sql`json_extract(${event}, '$.state') <> 'paid'`
  await db.delete(unmatchedEvents).where(and(isOpen, lt(createdAt, before), ne(kind, 'payment'), isUnpaid))
}
