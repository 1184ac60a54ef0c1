import { eq, lt } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { callbacks } from '../tables.ts'

export function callbackQuery(db: Database, id: string) {
  return db.select().from(callbacks).where(eq(callbacks.id, id))
}

export function rememberCallbackStatement(db: Database, id: string, digest: string, now: number): Statement {
  return db.insert(callbacks).values({ id, digest, createdAt: now })
}

/**
 * Deletes accepted report ids that are older than the maximum age of a signature. A repeated report of that age is
 * refused anyway.
 */
export async function pruneReports(db: Database, before: number): Promise<void> {
  await db.delete(callbacks).where(lt(callbacks.createdAt, before))
}
