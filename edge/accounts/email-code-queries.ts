import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { addPreferencesStatement } from '../notifications/queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, emailCodes } from '../tables.ts'
import { GUESSES_MAX, type SentCode } from './rules/confirmation-codes.ts'

/** Lists the codes of an account from the last 24 hours, newest first. */
export async function listCodes(db: Database, accountId: number): Promise<SentCode[]> {
  return db
    .select({
      number: emailCodes.number,
      sent_at: emailCodes.sentAt,
      expires_at: emailCodes.expiresAt,
      used_at: emailCodes.usedAt,
      guesses: emailCodes.guesses,
    })
    .from(emailCodes)
    .where(eq(emailCodes.accountId, accountId))
    .orderBy(desc(emailCodes.number))
}

/** Inserts a code and deletes codes older than 24 hours. A duplicate number makes the commit fail. */
export function insertCodeStatements(
  db: Database,
  code: Pick<typeof emailCodes.$inferInsert, 'accountId' | 'number' | 'hash' | 'sentAt' | 'expiresAt'>,
  forgottenBefore: number,
): Statement[] {
  const isOld = and(eq(emailCodes.accountId, code.accountId), lt(emailCodes.sentAt, forgottenBefore))
  return [db.insert(emailCodes).values(code), db.delete(emailCodes).where(isOld)]
}

/** Returns an account's newest code, whatever its state. */
export async function findNewestCode(
  db: Database,
  accountId: number,
): Promise<{ number: number; hash: string } | undefined> {
  const [row] = await db
    .select({ number: emailCodes.number, hash: emailCodes.hash })
    .from(emailCodes)
    .where(eq(emailCodes.accountId, accountId))
    .orderBy(desc(emailCodes.number))
    .limit(1)
  return row
}

/**
 * Counts a guess if the code can still be entered, so concurrent guesses count too. A correct guess uses up the
 * code in the same write.
 * @returns the number of guesses; undefined if the code can no longer be entered. In that case, reveal nothing
 * about the guess.
 */
export async function countGuess(
  db: Database,
  accountId: number,
  { number, is_right }: { number: number; is_right: boolean },
  now: number,
): Promise<number | undefined> {
  const newest = db
    .select({ number: sql`max(${emailCodes.number})` })
    .from(emailCodes)
    .where(eq(emailCodes.accountId, accountId))
  const [row] = await db
    .update(emailCodes)
    .set({ guesses: sql`${emailCodes.guesses} + 1`, ...(is_right ? { usedAt: now } : {}) })
    .where(
      and(
        eq(emailCodes.accountId, accountId),
        eq(emailCodes.number, number),
        eq(emailCodes.number, newest),
        isNull(emailCodes.usedAt),
        gt(emailCodes.expiresAt, now),
        lt(emailCodes.guesses, GUESSES_MAX),
      ),
    )
    .returning({ guesses: emailCodes.guesses })
  return row?.guesses
}

/**
 * Verifies an account's email address and subscribes it to job notifications and product news.
 * Contract: Accounts, Email confirmation.
 */
export function confirmStatements(
  db: Database,
  accountId: number,
  now: number,
  { makeAdmin }: { makeAdmin: boolean },
): Statement[] {
  return [
    db
      .update(accounts)
      .set({ emailVerifiedAt: now, subscribedAt: now, ...(makeAdmin ? { isAdmin: true } : {}) })
      .where(and(eq(accounts.id, accountId), isNull(accounts.emailVerifiedAt))),
    addPreferencesStatement(db, accountId, now),
    db
      .update(emailCodes)
      .set({ usedAt: now })
      .where(and(eq(emailCodes.accountId, accountId), isNull(emailCodes.usedAt))),
  ]
}
