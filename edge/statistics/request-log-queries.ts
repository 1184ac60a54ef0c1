import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, requestLogs } from '../tables.ts'
import type { RequestRecord } from './record-request.ts'

export type RequestLog = typeof requestLogs.$inferSelect

const COLUMNS = `request_id, account_id, key_id, method, path, status, duration_ms, source, ip_hash, created_at`
const FIELDS = COLUMNS.split(', ')
  .map((column) => `value ->> '${column === 'created_at' ? 'at' : column}'`)
  .join(', ')
const INSERT = `INSERT INTO request_logs (${COLUMNS})
  SELECT ${FIELDS} FROM json_each(?) WHERE true ON CONFLICT (request_id) DO NOTHING`

/**
 * Writes request records; existing ones stay unchanged. The records are one parameter, as most of the work would be to
 * bind each value.
 */
export function insertRequestLogsStatement(records: readonly RequestRecord[]): Statement {
  return { toSQL: () => ({ sql: INSERT, params: [JSON.stringify(records)] }) }
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
