import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, requestLogs } from '../tables.ts'

export type RequestLog = typeof requestLogs.$inferSelect
export type NewRequestLog = Omit<RequestLog, 'id'>

/** Writes request records; existing ones stay unchanged. */
export function insertRequestLogsStatement(db: Database, logs: NewRequestLog[]): Statement {
  return db.insert(requestLogs).values(logs).onConflictDoNothing()
}

/**
 * Deletes the records of those accounts that are deleted. Committed together with new records, because records may
 * arrive after the account's logs were erased. Contract: Accounts, Account deletion.
 */
export function forgetDeletedStatement(db: Database, accountIds: number[]): Statement {
  const deleted = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, accountIds), isNotNull(accounts.deletedAt)))
  return db.delete(requestLogs).where(inArray(requestLogs.accountId, deleted))
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
