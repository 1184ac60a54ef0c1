import { eq, lt } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { reports } from '../tables.ts'

export function reportQuery(db: Database, id: string) {
  return db.select().from(reports).where(eq(reports.id, id))
}

export function rememberCallbackStatement(db: Database, id: string, digest: string, now: number): Statement {
  return db.insert(reports).values({ id, digest, createdAt: now })
}

/**
 * Deletes accepted report ids that are older than the maximum age of a signature. A repeated report of that age is
 * refused anyway.
 */
export async function pruneReports(db: Database, before: number): Promise<void> {
  await db.delete(reports).where(lt(reports.createdAt, before))
}
