import { and, count, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { isOwnAccount } from '../accounts/queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { runningTermQuery } from '../subscriptions/term-queries.ts'
import { accounts, apiKeys, jobs } from '../tables.ts'

interface Page {
  limit: number
  offset: number
}

/** Searches accounts by part of their email address or name, or by id; newest first. */
export function findAccounts(db: Database, { q, limit, offset }: Page & { q?: string | undefined }) {
  const escaped = `%${(q ?? '').toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const isNamed = or(
    sql`${accounts.emailKey} LIKE ${escaped} ESCAPE '\\'`,
    sql`lower(${accounts.fullName}) LIKE ${escaped} ESCAPE '\\'`,
    /^\d{1,15}$/.test(q ?? '') ? eq(accounts.id, Number(q)) : undefined,
  )
  return db
    .select()
    .from(accounts)
    .where(and(q ? isNamed : undefined, isOwnAccount(db)))
    .orderBy(desc(accounts.id))
    .limit(limit)
    .offset(offset)
}

/**
 * Selects an account with its current term, its keys and its number of open jobs; undefined if the account is
 * unknown.
 */
export async function findAccountDetails(db: Database, id: number) {
  const [rows, terms, keys, open] = await db.batch([
    db.select().from(accounts).where(eq(accounts.id, id)),
    runningTermQuery(db, id),
    db.select().from(apiKeys).where(eq(apiKeys.accountId, id)).orderBy(desc(apiKeys.id)),
    db
      .select({ total: count() })
      .from(jobs)
      .where(and(eq(jobs.accountId, id), inArray(jobs.status, ['queued', 'processing']))),
  ])
  const [account] = rows
  return account && { account, term: terms[0], keys, open_jobs: open[0]?.total ?? 0 }
}

export function changeAccountStatement(
  db: Database,
  id: number,
  changed: { isAdmin: boolean; paymentsEnabled: boolean; blockedAt: number | null },
): Statement {
  return db.update(accounts).set(changed).where(eq(accounts.id, id))
}

export async function findKey(db: Database, id: number) {
  const [key] = await db.select().from(apiKeys).where(eq(apiKeys.id, id))
  return key
}

/** Revokes a key permanently: its owner can neither re-enable nor delete it. */
export function revokeKeyStatement(db: Database, id: number, now: number): Statement {
  return db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
}

/** Maps account ids to email addresses. */
export async function findEmails(db: Database, ids: number[]): Promise<Map<number, string>> {
  const rows = await db
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .where(inArray(accounts.id, ids))
  return new Map(rows.map(({ id, email }) => [id, email]))
}
