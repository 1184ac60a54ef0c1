import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, sessions } from '../tables.ts'

export type StoredSession = typeof sessions.$inferSelect

/** Sessions of one account; a sign-in beyond them ends the one that was used longest ago. Contract: Accounts, Sessions. */
const SESSIONS_MAX = 100

/**
 * Stores a session that starts, unless the account was blocked or its other sessions were ended concurrently: its token
 * is then refused.
 */
export async function insertSession(db: Database, session: StoredSession, epoch: number): Promise<void> {
  const { id, accountId, device, network, createdAt, lastUsedAt, expiresAt } = session
  const oldest = sql`(SELECT id FROM sessions WHERE account_id = ${accountId}
    ORDER BY last_used_at DESC, created_at DESC LIMIT -1 OFFSET ${SESSIONS_MAX})`
  await db.batch([
    db.insert(sessions).select(sql`
      SELECT ${id}, id, ${device}, ${network}, ${createdAt}, ${lastUsedAt}, ${expiresAt} FROM accounts
      WHERE id = ${accountId} AND session_epoch = ${epoch} AND blocked_at IS NULL`),
    db.delete(sessions).where(sql`${sessions.id} IN ${oldest}`),
  ])
}

/** Returns the sessions of an account, the one that was used last first. */
export function listSessions(db: Database, accountId: number, now: number): Promise<StoredSession[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
}

/** Stores when a session was last used. */
export async function touchSession(db: Database, id: string, now: number): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, id))
}

/** Ends one session of an account. */
export function endSessionStatement(db: Database, accountId: number, id: string): Statement {
  return db.delete(sessions).where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)))
}

/** Removes the sessions of an account, except one. Commit it together with a new session epoch. */
export function deleteSessionsStatement(db: Database, accountId: number, kept: string | null): Statement {
  const isEnded = kept === null ? undefined : ne(sessions.id, kept)
  return db.delete(sessions).where(and(eq(sessions.accountId, accountId), isEnded))
}

/** Ends all sessions of an account, including those of sign-ins that run concurrently. */
export function endAllSessionsStatements(db: Database, accountId: number): Statement[] {
  return [
    db
      .update(accounts)
      .set({ keptSession: null, sessionEpoch: sql`${accounts.sessionEpoch} + 1` })
      .where(eq(accounts.id, accountId)),
    deleteSessionsStatement(db, accountId, null),
  ]
}

/** Deletes sessions whose tokens have expired. */
export async function forgetExpiredSessions(db: Database, now: number): Promise<void> {
  await db.delete(sessions).where(and(lt(sessions.expiresAt, now), isNotMoving(sessions.accountId)))
}

/** Changes nothing, but is refused while the account moves to another database. */
export function touchAccountStatement(db: Database, accountId: number): Statement {
  return db
    .update(accounts)
    .set({ sessionEpoch: sql`${accounts.sessionEpoch}` })
    .where(eq(accounts.id, accountId))
}
