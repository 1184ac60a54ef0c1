import { lt, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { reports } from '../tables.ts'

/** Selects the digest of the accepted report with this id; null if there is none. */
export function knownReport(id: string) {
  return sql<string | null>`(SELECT ${reports.digest} FROM ${reports} WHERE ${reports.id} = ${id})`
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
