import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Database, Statement } from './client.ts'
import { outbox } from './schema.ts'

export type OutboxKind = (typeof outbox.$inferSelect)['kind']
export type OutboxRow = typeof outbox.$inferSelect

/** An effect outside the database, to be written with its cause. The id makes a repeated one the same. */
export interface Effect {
  id: string
  kind: OutboxKind
  payload: object
}

/** How long a sent effect may take to be acknowledged before it is sent again. */
const ACKNOWLEDGE_MS = 30_000

export function effectStatement(db: Database, effect: Effect, now: number): Statement {
  return db
    .insert(outbox)
    .values({ ...effect, createdAt: now, dueAt: now + ACKNOWLEDGE_MS })
    .onConflictDoNothing()
}

export async function acknowledgeEffects(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.delete(outbox).where(inArray(outbox.id, ids))
}

export function acknowledgeStatement(db: Database, ...ids: string[]): Statement {
  return db.delete(outbox).where(inArray(outbox.id, ids))
}

const LONGEST_PAUSE_MS = 10 * 60 * 1000

/** Sets the next turn of an effect that knows best when to try again. */
export function postponeStatement(db: Database, id: string, dueAt: number): Statement {
  return db.update(outbox).set({ dueAt }).where(eq(outbox.id, id))
}

/** Webhooks have a turn of their own: strangers' slow receivers must not hold anything else up. */
export const WEBHOOK_KINDS: readonly OutboxKind[] = ['webhook']
export const OTHER_KINDS = outbox.kind.enumValues.filter((kind) => !WEBHOOK_KINDS.includes(kind))

/**
 * So many bytes are taken at once: the database answers with 10 MB at the most, and where it can't, what it took
 * has lost its turn, and nobody knows what that was. The largest dispatch has some 120,000 bytes.
 */
const TAKEN_BYTES_MAX = 4 * 1024 * 1024

/** Takes effects that are overdue and puts their next turn off, doubling the pause each time. */
export function takeDueEffects(
  db: Database,
  now: number,
  limit: number,
  kinds: readonly OutboxKind[],
): Promise<OutboxRow[]> {
  const due = db
    .select({ id: outbox.id, dueAt: outbox.dueAt, bytes: sql`octet_length(${outbox.payload})`.as('bytes') })
    .from(outbox)
    .where(and(lte(outbox.dueAt, now), inArray(outbox.kind, [...kinds])))
    .orderBy(asc(outbox.dueAt))
    .limit(limit)
  // The first is taken whatever its size.
  const taken = sql`(
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY due_at, id) - bytes AS bytes_before FROM ${due})
    WHERE bytes_before < ${TAKEN_BYTES_MAX})`
  return db
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      dueAt: sql`${now} + min(${LONGEST_PAUSE_MS}, ${ACKNOWLEDGE_MS} << min(${outbox.attempts} + 1, 10))`,
    })
    .where(inArray(outbox.id, taken))
    .returning()
}
