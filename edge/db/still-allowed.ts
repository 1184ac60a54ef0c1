import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AccountCaller, SessionCaller } from '../rules/caller.ts'
import type { Database, Statement } from './client.ts'
import { accounts, apiKeys } from './schema.ts'

/** Of a row of `accounts`: it is the one that this session opens, and still does. */
export function isSessionOf(account_id: number, { session_id, epoch }: SessionProof): SQL | undefined {
  return and(
    eq(accounts.id, account_id),
    or(eq(accounts.sessionEpoch, epoch), eq(accounts.keptSession, session_id)),
    isNull(accounts.blockedAt),
  )
}

export type SessionProof = Pick<SessionCaller, 'session_id' | 'epoch'>

/** Whether a caller who was let in before would still be: a session that goes on, or a key that is on. */
export async function isStillAllowed(db: Database, caller: AccountCaller): Promise<boolean> {
  const rows =
    caller.kind === 'session'
      ? await db.select({ id: accounts.id }).from(accounts).where(isSessionOf(caller.account.id, caller))
      : await db.select({ id: apiKeys.id }).from(apiKeys).where(isLiveKey(caller.key.id))
  return rows.length > 0
}

/** Makes the commit that it is a part of fail as a lost race where the caller's session or key was ended meanwhile. */
export function stillAllowedStatement(db: Database, caller: AccountCaller): Statement {
  if (caller.kind === 'session') {
    const { id } = caller.account
    const epoch = sql`CASE WHEN ${isSessionOf(id, caller)} THEN ${accounts.sessionEpoch} END`
    return db.update(accounts).set({ sessionEpoch: epoch }).where(eq(accounts.id, id))
  }
  const { id } = caller.key
  const enabled = sql`CASE WHEN ${isLiveKey(id)} THEN ${apiKeys.enabled} END`
  return db.update(apiKeys).set({ enabled }).where(eq(apiKeys.id, id))
}

function isLiveKey(id: number): SQL | undefined {
  return and(eq(apiKeys.id, id), eq(apiKeys.enabled, true), isNull(apiKeys.revokedAt))
}
