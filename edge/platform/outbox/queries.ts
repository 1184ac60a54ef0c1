import { and, asc, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import { outbox } from '../../tables.ts'
import type { Database, Statement } from '../database/client.ts'

type OutboxRow = typeof outbox.$inferSelect
export type EffectKind = OutboxRow['kind']

/** An effect outside the database, committed together with its cause. The id makes it idempotent. */
export type Effect = Pick<OutboxRow, 'id' | 'kind' | 'payload'> & {
  /** How often the outbox has sent it; absent in its first sending. */
  attempts?: number
}

/** How long to wait for an acknowledgment before sending an effect again. */
const ACKNOWLEDGE_MS = 30_000

/** Returns when an effect that is sent now is sent again, unless it is acknowledged before. */
export function acknowledgeDueAt(now: number): number {
  return now + ACKNOWLEDGE_MS
}

export function effectStatements(db: Database, effects: readonly Effect[], now: number): Statement[] {
  if (effects.length === 0) return []
  const times = { createdAt: now, dueAt: acknowledgeDueAt(now) }
  const rows = effects.map(({ id, kind, payload }) => ({ id, kind, payload, ...times }))
  return [db.insert(outbox).values(rows).onConflictDoNothing()]
}

export async function acknowledgeEffects(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.delete(outbox).where(inArray(outbox.id, ids))
}

export function acknowledgeStatement(db: Database, ...ids: string[]): Statement {
  return db.delete(outbox).where(inArray(outbox.id, ids))
}

const LONGEST_PAUSE_MS = 10 * 60 * 1000

/** Sets the time of an effect's next attempt. */
export function postponeStatement(db: Database, id: string, dueAt: number): Statement {
  return db.update(outbox).set({ dueAt }).where(eq(outbox.id, id))
}

/**
 * Limits the bytes claimed at once. The database returns at most 10 MB, so a larger claim could fail and delay
 * effects that were never sent. The largest dispatch has about 120,000 bytes.
 */
const CLAIMED_BYTES_MAX = 4 * 1024 * 1024

/** Claims due effects except webhooks, because slow receivers must not delay other effects. */
export function claimDueEffects(db: Database, now: number, limit: number): Promise<OutboxRow[]> {
  const due = db
    .select({ id: outbox.id, dueAt: outbox.dueAt, bytes: sql`octet_length(${outbox.payload})`.as('bytes') })
    .from(outbox)
    .where(and(lte(outbox.dueAt, now), ne(outbox.kind, 'webhook')))
    .orderBy(asc(outbox.dueAt))
    .limit(limit)
  // The first effect is claimed regardless of its size.
  const claimed = sql`(
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY due_at, id) - bytes AS bytes_before FROM ${due})
    WHERE bytes_before < ${CLAIMED_BYTES_MAX})`
  return db.update(outbox).set(nextAttempt(now)).where(inArray(outbox.id, claimed)).returning()
}

/** Claims one effect. Returns undefined if it is no longer due because another run claimed it. */
export async function claimDueEffect(db: Database, now: number, id: string): Promise<OutboxRow | undefined> {
  const isDue = and(eq(outbox.id, id), lte(outbox.dueAt, now))
  const [claimed] = await db.update(outbox).set(nextAttempt(now)).where(isDue).returning()
  return claimed
}

/** Schedules the next attempt of the claimed effects with exponential backoff. */
function nextAttempt(now: number) {
  return {
    attempts: sql`${outbox.attempts} + 1`,
    dueAt: sql`${now} + min(${LONGEST_PAUSE_MS}, ${ACKNOWLEDGE_MS} << min(${outbox.attempts} + 1, 10))`,
  }
}
