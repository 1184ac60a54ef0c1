import { asc, inArray, lte, sql } from 'drizzle-orm'
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
export const ACKNOWLEDGE_MS = 30_000

export function effectStatement(db: Database, effect: Effect, now: number): Statement {
  return db
    .insert(outbox)
    .values({ ...effect, createdAt: now, dueAt: now + ACKNOWLEDGE_MS })
    .onConflictDoNothing()
}

export async function acknowledgeEffects(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.delete(outbox).where(inArray(outbox.id, ids))
}

export function acknowledgeStatement(db: Database, id: string): Statement {
  return db.delete(outbox).where(inArray(outbox.id, [id]))
}

const LONGEST_PAUSE_MS = 10 * 60 * 1000

/** Takes effects that are overdue and puts their next turn off, doubling the pause each time. */
export function takeDueEffects(db: Database, now: number, limit: number): Promise<OutboxRow[]> {
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.dueAt, now))
    .orderBy(asc(outbox.dueAt))
    .limit(limit)
  return db
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      dueAt: sql`${now} + min(${LONGEST_PAUSE_MS}, ${ACKNOWLEDGE_MS} << min(${outbox.attempts} + 1, 10))`,
    })
    .where(inArray(outbox.id, due))
    .returning()
}
