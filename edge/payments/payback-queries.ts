import { and, eq, exists, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { unmatchedEvents } from '../tables.ts'
import { keptOnce, type PaybackState } from './rules/payback.ts'
import { settleEventStatement, type UnmatchedEvent } from './unmatched-event-queries.ts'

/** Finds the event of a payment that is paid back. */
export async function findPayback(
  db: Database,
  { provider, reference }: { provider: string; reference: string },
): Promise<UnmatchedEvent | undefined> {
  const [row] = await db
    .select()
    .from(unmatchedEvents)
    .where(and(eq(unmatchedEvents.provider, provider), eq(unmatchedEvents.eventId, keptOnce({ reference }))))
  return row
}

/** Makes the commit fail as a lost race if another run has recorded the payback, so only one emails the payer. */
export function paybackGuard(db: Database, { id }: UnmatchedEvent): Statement {
  const unrecorded = db
    .select({ id: unmatchedEvents.id })
    .from(unmatchedEvents)
    .where(and(eq(unmatchedEvents.id, id), isNull(unmatchedEvents.paybackReference)))
  return guardStatement(db, exists(unrecorded))
}

/** Makes the commit fail as a lost race if the event was settled, or its payback has changed its state. */
export function samePaybackGuard(db: Database, { id, payback }: UnmatchedEvent): Statement {
  const same = db
    .select({ id: unmatchedEvents.id })
    .from(unmatchedEvents)
    .where(
      and(
        eq(unmatchedEvents.id, id),
        isNull(unmatchedEvents.settledAt),
        sql`${unmatchedEvents.payback} IS ${payback}`,
      ),
    )
  return guardStatement(db, exists(same))
}

/** Lists the open paybacks that wait for one of these providers. */
export function listWaitingPaybacks(
  db: Database,
  providers: string[],
  limit: number,
): Promise<UnmatchedEvent[]> {
  const { provider, settledAt, payback } = unmatchedEvents
  return db
    .select()
    .from(unmatchedEvents)
    .where(and(isNull(settledAt), inArray(provider, providers), eq(payback, 'waiting')))
    .limit(limit)
}

const POLL_PAUSE_MS = 10 * 60 * 1000

/** Records the state of a payback. One that succeeded settles its event. A later state never changes an earlier end. */
export function paybackStatements(
  db: Database,
  row: UnmatchedEvent,
  { state, reference, now }: { state: PaybackState; reference: string | null; now: number },
): Statement[] {
  const isOver = row.payback === 'succeeded' || row.payback === 'failed'
  const payback = isOver ? row.payback : state
  const paybackPollAt = payback === 'processing' ? now + POLL_PAUSE_MS : null
  return [
    db
      .update(unmatchedEvents)
      .set({ payback, paybackPollAt, ...(reference === null ? {} : { paybackReference: reference }) })
      .where(eq(unmatchedEvents.id, row.id)),
    ...(payback === 'succeeded' && row.outcome === null
      ? [settleEventStatement(db, row.id, { outcome: 'paid_back', note: null, now })]
      : []),
  ]
}

/** Claims paybacks that are due to be polled and schedules their next poll. */
export function claimDuePaybacks(db: Database, now: number, limit: number): Promise<UnmatchedEvent[]> {
  const due = db
    .select({ id: unmatchedEvents.id })
    .from(unmatchedEvents)
    .where(lte(unmatchedEvents.paybackPollAt, now))
    .limit(limit)
  return db
    .update(unmatchedEvents)
    .set({ paybackPollAt: now + POLL_PAUSE_MS })
    .where(inArray(unmatchedEvents.id, due))
    .returning()
}
