import { desc, eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { requestLogs } from '../tables.ts'

export type RequestLog = typeof requestLogs.$inferSelect
export type NewRequestLog = Omit<RequestLog, 'id'>

/** Writes request records; existing ones stay unchanged. */
export function insertRequestLogsStatement(db: Database, logs: NewRequestLog[]): Statement {
  return db.insert(requestLogs).values(logs).onConflictDoNothing()
}

/**
 * Lists requests, newest first.
 * @param accountId null lists the requests of all accounts.
 */
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
