import { and, count, desc, eq, exists, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Locale } from '../../shared/text/texts.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { makeId } from '../platform/database/ids.ts'
import { accessEnd } from '../subscriptions/rules/terms.ts'
import { planLimitsOf, runningTermQuery, type StoredTerm } from '../subscriptions/term-queries.ts'
import { accounts, apiKeys, mailboxGrants, orders, plans, sessions, subscriptions } from '../tables.ts'
import {
  isAccountOfToken,
  isLiveSession,
  isSessionOf,
  type SessionProof,
  type TokenOwner,
} from './credential-guard.ts'
import type { CallerAccount, CallerKey, CallerPlan, SessionCaller } from './rules/caller.ts'

export type AccountRow = typeof accounts.$inferSelect
export type StoredKey = typeof apiKeys.$inferSelect

/**
 * Maps an account row to a caller.
 * @param term the account's current term; omitted for a new account.
 */
export function toCallerAccount(row: AccountRow, term?: NullableTerm): CallerAccount {
  return {
    id: row.id,
    email: row.email,
    full_name: row.fullName,
    email_verified: row.emailVerifiedAt !== null,
    has_password: row.passwordHash !== null,
    idp_linked: row.idpSubject !== null,
    is_admin: row.isAdmin,
    payments_enabled: row.paymentsEnabled,
    locale: row.locale,
    plan: toCallerPlan(term),
    created_at: row.createdAt,
  }
}

type NullableTerm = { [Part in keyof StoredTerm]: StoredTerm[Part] | null }

function toCallerPlan(term: NullableTerm | undefined): CallerPlan | null {
  if (!term?.subscription || !term.plan) return null
  const { renewalStatus, periodEnd, graceUntil } = term.subscription
  const state = { renewal_status: renewalStatus, period_end: periodEnd, grace_until: graceUntil }
  return { name: term.plan.name, limits: planLimitsOf(term.plan), access_ends: accessEnd(state) }
}

/** Converts an account row to a caller, including its current plan. */
export async function loadCallerAccount(db: Database, row: AccountRow): Promise<CallerAccount> {
  const [term] = await runningTermQuery(db, row.id)
  return toCallerAccount(row, term)
}

const ofRunningTerm = and(eq(subscriptions.accountId, accounts.id), isNull(subscriptions.endedAt))

/** Begins the address of a row that stands for an administrator of another database. */
export const STAND_IN = 'administrator:'

/** Leaves out rows that are not accounts of this database: stand-ins, and what is left of accounts that moved. */
export function isOwnAccount({ $number }: Pick<Database, '$number'>): SQL | undefined {
  const left = sql`${accounts.emailKey} NOT GLOB 'left:*'`
  return $number === 0 ? left : and(left, sql`${accounts.emailKey} NOT GLOB ${`${STAND_IN}*`}`)
}

/** Finds an account by id among all databases: not what stands for it, or is left of it, in another one. */
export async function findAccountOf(db: Database, id: number): Promise<AccountRow | undefined> {
  const row = await findAccount(db, id)
  return row === undefined || /^(administrator|left):/.test(row.emailKey) ? undefined : row
}

export async function findAccountByEmail(db: Database, emailKey: string): Promise<AccountRow | undefined> {
  const [row] = await db.select().from(accounts).where(eq(accounts.emailKey, emailKey))
  return row
}

export async function findAccount(db: Database, id: number): Promise<AccountRow | undefined> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id))
  return row
}

const HOUR_MS = 60 * 60 * 1000

/**
 * Checks for an order from the last hour that can still be paid. If there is one, the plan can change at any time.
 */
function isAwaitingPayment(db: Database, now: number): SQL<boolean> {
  const open = db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accounts.id),
        gte(orders.createdAt, now - HOUR_MS),
        inArray(orders.status, ['waiting', 'confirming']),
      ),
    )
  return sql`${exists(open)}`.mapWith(Boolean)
}

/** The account that a credential belongs to, read from the database. */
export interface FoundAccount {
  account: CallerAccount
  awaits_payment: boolean
}

/** Returns the account of a session; undefined if the account is blocked or the session has been revoked. */
export async function findSessionAccount(
  db: Database,
  session: SessionProof & ({ account_id: number } | TokenOwner),
  now: number,
): Promise<(FoundAccount & { last_used_at: number }) | undefined> {
  const account =
    'account_id' in session ? eq(accounts.id, session.account_id) : isAccountOfToken(db, session)
  const [row] = await db
    .select({
      account: accounts,
      subscription: subscriptions,
      plan: plans,
      awaits_payment: isAwaitingPayment(db, now),
      last_used_at: sessions.lastUsedAt,
    })
    .from(accounts)
    .innerJoin(sessions, and(eq(sessions.id, session.session_id), eq(sessions.accountId, accounts.id)))
    .leftJoin(subscriptions, ofRunningTerm)
    .leftJoin(plans, eq(plans.id, subscriptions.planId))
    .where(and(account, isLiveSession(session)))
  if (row === undefined) return undefined
  const { awaits_payment, last_used_at } = row
  return { account: toCallerAccount(row.account, row), awaits_payment, last_used_at }
}

/** Returns a usable API key; undefined if it is unknown, paused or revoked, or its account is blocked. */
export async function findLiveKey(
  db: Database,
  hash: string,
  now: number,
): Promise<(FoundAccount & { key: CallerKey; last_used_at: number | null }) | undefined> {
  const [row] = await db
    .select({
      account: accounts,
      key: apiKeys,
      subscription: subscriptions,
      plan: plans,
      awaits_payment: isAwaitingPayment(db, now),
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(subscriptions, ofRunningTerm)
    .leftJoin(plans, eq(plans.id, subscriptions.planId))
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
  return {
    account: toCallerAccount(row.account, row),
    awaits_payment: row.awaits_payment,
    key: { id, name, max_per_day: maxPerDay },
    last_used_at: row.key.lastUsedAt,
  }
}

/** Stores when a key was last used. */
export async function touchKey(db: Database, id: number, now: number): Promise<void> {
  await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id))
}

export type NewAccount = Pick<
  AccountRow,
  'email' | 'emailKey' | 'addressHash' | 'fullName' | 'passwordHash' | 'isAdmin' | 'createdAt'
> &
  Partial<Pick<AccountRow, 'locale' | 'idpIssuer' | 'idpSubject'>> & {
    /** Made by edge/accounts/address-hash.ts. */
    mailboxHashes: readonly string[]
  }

/** Inserts an account; returns null if the address or the identity already has an account. */
export async function insertAccount(
  db: Database,
  { mailboxHashes, ...account }: NewAccount,
): Promise<AccountRow | null> {
  const [row] = await db
    .insert(accounts)
    .values({
      ...account,
      passwordSetAt: account.passwordHash === null ? null : account.createdAt,
      idpLinkedAt: account.idpSubject === undefined ? null : account.createdAt,
      publicKey: makeId(db),
      ...receivedBefore(db, mailboxHashes),
    })
    .onConflictDoNothing()
    .returning()
  return row ?? null
}

/**
 * Reads the free credits that the mailbox received in deleted accounts and in other spellings. Runs as part of the same
 * statement as the insert, so a deletion that is committed at the same time is not missed.
 */
function receivedBefore(db: Database, hashes: readonly string[]) {
  const received = (column: SQLiteColumn) => {
    const isOfMailbox = inArray(mailboxGrants.mailboxHash, [...hashes])
    return sql`(${db
      .select({ latest: sql`max(${column})` })
      .from(mailboxGrants)
      .where(isOfMailbox)})`
  }
  return {
    welcomeUsed: sql`coalesce(${received(mailboxGrants.welcomeUsed)}, 0)`,
    dailyFreeFrom: received(mailboxGrants.dailyFreeFrom),
  }
}

/** Sets the language of the account's emails and webhooks. */
export function setLocaleStatement(db: Database, id: number, locale: Locale): Statement {
  return db.update(accounts).set({ locale }).where(eq(accounts.id, id))
}

export async function makeAdministrator(db: Database, id: number): Promise<void> {
  await db.update(accounts).set({ isAdmin: true }).where(eq(accounts.id, id))
}

export function listKeys(db: Database, accountId: number): Promise<StoredKey[]> {
  return db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)).orderBy(desc(apiKeys.id))
}

/** Returns the number of keys of an account and the next id in the key table. */
export async function loadKeyFacts(
  db: Database,
  accountId: number,
): Promise<{ held: number; next_id: number }> {
  // sqlite_sequence also counts deleted keys, so ids are never reused.
  const last = sql<number>`coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'api_keys'), 0)`
  const [row] = await db.select({ held: count(), last }).from(apiKeys).where(eq(apiKeys.accountId, accountId))
  return { held: row?.held ?? 0, next_id: (row?.last ?? 0) + 1 }
}

export function insertKeyStatement(db: Database, key: StoredKey): Statement {
  return db.insert(apiKeys).values(key)
}

/** Pauses or resumes a key; returns undefined if it does not belong to the account or has been revoked. */
export async function toggleKey(
  db: Database,
  { account, ...proof }: SessionCaller,
  id: number,
): Promise<StoredKey | undefined> {
  const authorized = db.select({ id: accounts.id }).from(accounts).where(isSessionOf(account.id, proof))
  const [row] = await db
    .update(apiKeys)
    .set({ enabled: sql`NOT ${apiKeys.enabled}` })
    .where(and(eq(apiKeys.id, id), inArray(apiKeys.accountId, authorized), isNull(apiKeys.revokedAt)))
    .returning()
  return row
}

export type KeyState = 'live' | 'paused' | 'revoked'

/** Returns the state of a key; undefined if it does not exist or its account is blocked. */
export async function findKeyState(db: Database, hash: string): Promise<KeyState | undefined> {
  const { enabled, revokedAt } = apiKeys
  const [row] = await db
    .select({ enabled, revokedAt })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(and(eq(apiKeys.hash, hash), isNull(accounts.blockedAt)))
  if (row === undefined) return undefined
  if (row.revokedAt !== null) return 'revoked'
  return row.enabled ? 'live' : 'paused'
}

/** Deletes a key; returns false if the key does not exist or an administrator has revoked it. */
export async function deleteKey(db: Database, accountId: number, id: number): Promise<boolean> {
  const removed = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  return removed.length > 0
}
