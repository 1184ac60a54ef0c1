import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, requestLogs } from '../tables.ts'

export type RequestLog = typeof requestLogs.$inferSelect
export type NewRequestLog = Omit<RequestLog, 'id'>

/** Writes request records; existing ones stay unchanged. */
export function insertRequestLogsStatement(db: Database, logs: NewRequestLog[]): Statement {
  return db.insert(requestLogs).values(logs).onConflictDoNothing()
}

/** Lists which of these accounts are deleted. Contract: Accounts, Account deletion. */
export async function listDeletedAccounts(db: Database, accountIds: number[]): Promise<number[]> {
  if (accountIds.length === 0) return []
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, accountIds), isNotNull(accounts.deletedAt)))
  return rows.map(({ id }) => id)
}

/** Deletes all request records of accounts. */
export function deleteRequestLogsStatement(logs: Database, accountIds: number[]): Statement {
  return logs.delete(requestLogs).where(inArray(requestLogs.accountId, accountIds))
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
