import { eq, lt, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, endedSessions } from '../tables.ts'

/** Ends one session. */
export function endSessionStatement(db: Database, sessionId: string, expiresAt: number): Statement {
  return db.insert(endedSessions).values({ sessionId, expiresAt }).onConflictDoNothing()
}

/** Ends all sessions of an account. */
export function endAllSessionsStatement(db: Database, accountId: number): Statement {
  return db
    .update(accounts)
    .set({ keptSession: null, sessionEpoch: sql`${accounts.sessionEpoch} + 1` })
    .where(eq(accounts.id, accountId))
}

/** Deletes ended sessions whose tokens have expired. */
export async function forgetEndedSessions(db: Database, now: number): Promise<void> {
  await db.delete(endedSessions).where(lt(endedSessions.expiresAt, now))
}

/** Changes nothing, but is refused while the account moves to another database. */
export function touchAccountStatement(db: Database, accountId: number): Statement {
  return db
    .update(accounts)
    .set({ sessionEpoch: sql`${accounts.sessionEpoch}` })
    .where(eq(accounts.id, accountId))
}
