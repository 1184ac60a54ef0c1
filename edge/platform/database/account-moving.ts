import { LibsqlError } from '@libsql/client/web'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Texts of the triggers that refuse writes of an account that moves to another database; see edge/databases/move/. */
export const LEAVING = 'the account is moving to another database'
export const LEFT = 'the account has moved to another database'

/**
 * Leaves out rows of accounts whose writes are refused. Used by tasks that change rows of many accounts at once, because
 * one refused row would make the whole commit fail.
 */
export function isNotMoving(accountId: SQLWrapper): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM account_moves m WHERE m.account_id = ${accountId} AND m.state <> 'copying')`
}

/**
 * Like isNotMoving, for rows whose account takes a lookup. Reads the accounts that move first, so nothing is looked up
 * while there are none.
 */
export function isOwnerNotMoving(owner: SQLWrapper): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM account_moves m WHERE m.state <> 'copying' AND +m.account_id = ${owner})`
}

/** Whether a write was refused because its account moves, or has moved. Nothing was written. */
export function isAccountMoving(error: unknown): boolean {
  return hasMessage(error, LEAVING) || isAccountMoved(error)
}

/** Whether a write was refused because its account is in another database now. */
export function isAccountMoved(error: unknown): boolean {
  return hasMessage(error, LEFT)
}

/** Reads only errors of the database: those of Drizzle contain the values of the query, which users send. */
function hasMessage(error: unknown, text: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof LibsqlError && cause.message.includes(text)) return true
  }
  return false
}
