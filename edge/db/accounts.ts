import { and, count, desc, eq, gte, isNull, sql } from 'drizzle-orm'
import type { CallerAccount, CallerKey } from '../rules/caller.ts'
import type { Database } from './client.ts'
import { accounts, apiKeys, jobs } from './schema.ts'

type AccountRow = typeof accounts.$inferSelect
export type StoredKey = typeof apiKeys.$inferSelect

export function toCallerAccount(row: AccountRow): CallerAccount {
  return {
    id: row.id,
    email: row.email,
    full_name: row.fullName,
    email_verified: row.emailVerifiedAt !== null,
    has_password: row.passwordHash !== null,
    is_admin: row.isAdmin,
    payments_enabled: row.paymentsEnabled,
    locale: row.locale,
    created_at: row.createdAt,
  }
}

export async function findAccountByEmail(db: Database, emailKey: string): Promise<AccountRow | undefined> {
  const [row] = await db.select().from(accounts).where(eq(accounts.emailKey, emailKey))
  return row
}

/** @returns the account whose session this is; undefined when it is blocked or its sessions were ended. */
export async function findSessionAccount(
  db: Database,
  id: number,
  epoch: number,
): Promise<CallerAccount | undefined> {
  const [row] = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), eq(accounts.sessionEpoch, epoch), isNull(accounts.blockedAt)))
  return row && toCallerAccount(row)
}

/** @returns undefined for a key that is unknown, paused or revoked, or whose account is blocked. */
export async function findLiveKey(
  db: Database,
  hash: string,
): Promise<{ account: CallerAccount; key: CallerKey } | undefined> {
  const [row] = await db
    .select({ account: accounts, key: apiKeys })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(
      and(
        eq(apiKeys.hash, hash),
        eq(apiKeys.enabled, true),
        isNull(apiKeys.revokedAt),
        isNull(accounts.blockedAt),
      ),
    )
  if (row === undefined) return undefined
  const { id, name, maxPerDay } = row.key
  return { account: toCallerAccount(row.account), key: { id, name, max_per_day: maxPerDay } }
}

/** Notes that a key was used; told to its owner to the nearest few seconds. */
export async function touchKey(db: Database, id: number, now: number): Promise<void> {
  await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id))
}

/** Jobs submitted with each of an account's keys since a time. */
export async function countJobsByKey(
  db: Database,
  accountId: number,
  since: number,
): Promise<Map<number, number>> {
  const rows = await db
    .select({ id: apiKeys.id, total: count() })
    .from(apiKeys)
    .innerJoin(jobs, and(eq(jobs.keyId, apiKeys.id), gte(jobs.createdAt, since)))
    .where(eq(apiKeys.accountId, accountId))
    .groupBy(apiKeys.id)
  return new Map(rows.map(({ id, total }) => [id, total]))
}

export type NewAccount = Pick<
  AccountRow,
  'email' | 'emailKey' | 'fullName' | 'passwordHash' | 'isAdmin' | 'createdAt'
>

/** @returns null when the address has an account already. */
export async function insertAccount(db: Database, account: NewAccount): Promise<AccountRow | null> {
  const [row] = await db.insert(accounts).values(account).onConflictDoNothing().returning()
  return row ?? null
}

export function listKeys(db: Database, accountId: number): Promise<StoredKey[]> {
  return db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)).orderBy(desc(apiKeys.id))
}

export async function insertKey(db: Database, key: typeof apiKeys.$inferInsert): Promise<StoredKey> {
  const [row] = await db.insert(apiKeys).values(key).returning()
  if (row === undefined) throw new Error('the key was not written')
  return row
}

export async function countKeys(db: Database, accountId: number): Promise<number> {
  const [row] = await db.select({ total: count() }).from(apiKeys).where(eq(apiKeys.accountId, accountId))
  return row?.total ?? 0
}

/** @returns the key after the change; undefined when the account has no such key or it was revoked. */
export async function toggleKey(db: Database, accountId: number, id: number): Promise<StoredKey | undefined> {
  const [row] = await db
    .update(apiKeys)
    .set({ enabled: sql`NOT ${apiKeys.enabled}` })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
    .returning()
  return row
}

/** @returns whether a key was removed; a revoked one stays. */
export async function deleteKey(db: Database, accountId: number, id: number): Promise<boolean> {
  const removed = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  return removed.length > 0
}
