import { and, count, eq, exists, gt, isNull, lt, sql } from 'drizzle-orm'
import { deleteSessionsStatement } from '../accounts/session-queries.ts'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { accounts, passwordResets } from '../tables.ts'

interface NewPassword {
  passwordHash: string
  keptSession: string | null
  unlinks: boolean
  now: number
}

type StoredReset = typeof passwordResets.$inferSelect

/** Inserts a link. Of several that are created concurrently, no more than allowed become usable. */
export function insertResetStatements(
  db: Database,
  reset: StoredReset,
  { usable_max, now }: { usable_max: number; now: number },
): Statement[] {
  const usable = db.select({ total: count() }).from(passwordResets).where(isUsableOf(reset.accountId, now))
  return [guardStatement(db, sql`${usable} < ${usable_max}`), db.insert(passwordResets).values(reset)]
}

/** Counts the usable links of an account. */
export async function countUsableResets(db: Database, accountId: number, now: number): Promise<number> {
  const [row] = await db.select({ total: count() }).from(passwordResets).where(isUsableOf(accountId, now))
  return row?.total ?? 0
}

const isUsableOf = (accountId: number, now: number) =>
  and(eq(passwordResets.accountId, accountId), gt(passwordResets.expiresAt, now))

/** Checks whether a request's link was already created. */
export async function isResetSent(db: Database, requestId: string): Promise<boolean> {
  const own = eq(passwordResets.requestId, requestId)
  return (await db.select({ id: passwordResets.requestId }).from(passwordResets).where(own)).length > 0
}

const isUsable = (tokenHash: string, now: number) =>
  and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now))

/** Returns the account of a link; undefined if the link is unknown, was used, or has expired. */
export async function findResetAccount(db: Database, tokenHash: string, now: number) {
  const [row] = await db
    .select({ account: accounts })
    .from(passwordResets)
    .innerJoin(accounts, eq(accounts.id, passwordResets.accountId))
    .where(isUsable(tokenHash, now))
  return row?.account
}

/** Makes the commit fail as a lost race if the link was used or the account was blocked or confirmed concurrently. */
export function resetGuard(
  db: Database,
  tokenHash: string,
  { emailVerifiedAt }: Pick<typeof accounts.$inferSelect, 'emailVerifiedAt'>,
  now: number,
): Statement {
  const usable = db
    .select({ id: passwordResets.requestId })
    .from(passwordResets)
    .innerJoin(accounts, eq(accounts.id, passwordResets.accountId))
    .where(
      and(
        isUsable(tokenHash, now),
        isNull(accounts.blockedAt),
        sql`${accounts.emailVerifiedAt} IS ${emailVerifiedAt}`,
      ),
    )
  return guardStatement(db, exists(usable))
}

/**
 * Sets the password, ends all sessions except one, and deletes the account's reset links.
 * @param keptSession null to end all sessions.
 * @param unlinks whether the identity is removed too
 */
export function setPasswordStatements(
  db: Database,
  accountId: number,
  { passwordHash, keptSession, unlinks, now }: NewPassword,
): Statement[] {
  return [
    db
      .update(accounts)
      .set({
        ...{ passwordHash, keptSession, passwordSetAt: now },
        ...(unlinks && { idpIssuer: null, idpSubject: null, idpLinkedAt: null }),
        sessionEpoch: sql`${accounts.sessionEpoch} + 1`,
      })
      .where(eq(accounts.id, accountId)),
    deleteSessionsStatement(db, accountId, keptSession),
    db.delete(passwordResets).where(eq(passwordResets.accountId, accountId)),
  ]
}

/** Deletes links that can no longer be used. */
export async function forgetExpiredResets(db: Database, now: number): Promise<void> {
  await db
    .delete(passwordResets)
    .where(and(lt(passwordResets.expiresAt, now), isNotMoving(passwordResets.accountId)))
}
