import { and, eq, inArray, isNotNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { mailboxGrants } from '../tables.ts'

export type MailboxGrants = typeof mailboxGrants.$inferSelect

/** Contract: Accounts, Account deletion. */
const KEPT_MS = 365 * DAY_MS

/** Adds free credits to those that a mailbox has received. */
export function noteMailboxStatement(db: Database, received: MailboxGrants): Statement {
  const { welcomeUsed, dailyFreeFrom } = mailboxGrants
  return db
    .insert(mailboxGrants)
    .values(received)
    .onConflictDoUpdate({
      target: mailboxGrants.mailboxHash,
      set: {
        welcomeUsed: sql`max(${welcomeUsed}, excluded.welcome_used)`,
        dailyFreeFrom: sql`max(coalesce(${dailyFreeFrom}, 0), coalesce(excluded.daily_free_from, 0))`,
        retiredAt: sql`excluded.retired_at`,
      },
    })
}

/** Makes the commit fail as a lost race if the mailbox has received a welcome grant, for example in another spelling. */
export function unwelcomedGuard(db: Database, hashes: readonly string[]): Statement {
  return guardStatement(db, notExists(welcomedQuery(db, hashes)))
}

export async function isMailboxWelcomed(db: Database, hashes: readonly string[]): Promise<boolean> {
  return (await welcomedQuery(db, hashes)).length > 0
}

function welcomedQuery(db: Database, hashes: readonly string[]) {
  return db
    .select({ hash: mailboxGrants.mailboxHash })
    .from(mailboxGrants)
    .where(and(inArray(mailboxGrants.mailboxHash, [...hashes]), eq(mailboxGrants.welcomeUsed, true)))
}

/** Finds what a mailbox received, under the hashes of all keys. */
export async function findMailboxGrants(db: Database, hashes: readonly string[]): Promise<MailboxGrants[]> {
  return db
    .select()
    .from(mailboxGrants)
    .where(inArray(mailboxGrants.mailboxHash, [...hashes]))
}

/** Deletes what mailboxes of deleted accounts received, once it no longer matters. */
export async function forgetMailboxes(db: Database, now: number): Promise<void> {
  const { retiredAt, welcomeUsed, dailyFreeFrom } = mailboxGrants
  const isUseless = and(eq(welcomeUsed, false), lt(sql`coalesce(${dailyFreeFrom}, 0)`, now))
  await db.delete(mailboxGrants).where(and(isNotNull(retiredAt), or(lt(retiredAt, now - KEPT_MS), isUseless)))
}
