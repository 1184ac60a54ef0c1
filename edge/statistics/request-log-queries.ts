import { desc, eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { requestLogs } from '../tables.ts'

export type RequestLog = typeof requestLogs.$inferSelect
export type NewRequestLog = Omit<RequestLog, 'id'>

/** Writes requests down; one that is there already stays as it is. */
export function insertRequestLogsStatement(db: Database, logs: NewRequestLog[]): Statement {
  return db.insert(requestLogs).values(logs).onConflictDoNothing()
}

/** Newest first. @param accountId null: of everybody. */
export function listRequestLogs(
  db: Database,
  accountId: number | null,
  limit: number,
): Promise<RequestLog[]> {
  return db
    .select()
    .from(requestLogs)
    .where(accountId === null ? undefined : eq(requestLogs.accountId, accountId))
    .orderBy(desc(requestLogs.id))
    .limit(limit)
}
