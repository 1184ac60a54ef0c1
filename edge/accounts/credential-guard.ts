import { and, eq, exists, gt, isNull, notExists, or, type SQL } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/sqlite-core'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { accounts, apiKeys, restores, sessions } from '../tables.ts'
import type { AccountCaller, LinkOwner, SessionCaller } from './rules/caller.ts'
import type { ReadSession } from './session-tokens.ts'

export type SessionProof = Pick<SessionCaller, 'session_id' | 'epoch'>

/** Matches the row with this id in `accounts` while the session is valid. */
export function isSessionOf(account_id: number, proof: SessionProof): SQL | undefined {
  return and(eq(accounts.id, account_id), isLiveSession(proof))
}

/** The account that a token names, and when its session started. */
export type TokenOwner = Pick<ReadSession, 'account_key' | 'issued_at'>

/**
 * Matches the account that a session token names, unless the database was restored after the session started: the
 * account may then be another one, and a session that ended after the backup must not be valid again.
 */
export function isAccountOfToken(db: Database, { account_key, issued_at }: TokenOwner): SQL | undefined {
  const later = db
    .select({ at: restores.restoredAt })
    .from(restores)
    .where(gt(restores.restoredAt, issued_at))
  return and(eq(accounts.publicKey, account_key), notExists(later))
}

/** Matches rows of `accounts` for which the session is valid. */
export function isLiveSession({ session_id, epoch }: SessionProof): SQL | undefined {
  const started = new QueryBuilder()
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, session_id), eq(sessions.accountId, accounts.id)))
  return and(
    or(eq(accounts.sessionEpoch, epoch), eq(accounts.keptSession, session_id)),
    isNull(accounts.blockedAt),
    exists(started),
  )
}

/** Selects the caller's account while the session or API key is still valid. */
export function authorizedAccountQuery(db: Database, caller: AccountCaller | LinkOwner) {
  return db.select({ id: accounts.id }).from(accounts).where(stillAllowed(db, caller))
}

/** Selects the caller's account like authorizedAccountQuery, with further fields. */
export function authorizedFields<Fields extends Record<string, SQL>>(
  db: Database,
  caller: AccountCaller | LinkOwner,
  fields: Fields,
) {
  return db
    .select({ id: accounts.id, ...fields })
    .from(accounts)
    .where(stillAllowed(db, caller))
}

/** Makes the commit fail as a lost race if the caller's session or key has been revoked. */
export function credentialGuard(db: Database, caller: AccountCaller | LinkOwner): Statement {
  return guardStatement(db, exists(authorizedAccountQuery(db, caller)))
}

/** Selects the administrator's account; returns no row if the session has been revoked. */
export function administratorQuery(db: Database, { account, ...session }: SessionCaller) {
  return db.select({ isAdmin: accounts.isAdmin }).from(accounts).where(isSessionOf(account.id, session))
}

/** Makes the commit fail as a lost race if the session has been revoked or does not belong to an administrator. */
export function administratorGuard(db: Database, { account, ...session }: SessionCaller): Statement {
  const isAdministrator = and(isSessionOf(account.id, session), eq(accounts.isAdmin, true))
  return guardStatement(db, exists(db.select({ id: accounts.id }).from(accounts).where(isAdministrator)))
}

/** Matches the caller's row in `accounts` while the credential is valid. */
function stillAllowed(db: Database, caller: AccountCaller | LinkOwner): SQL | undefined {
  const { id } = caller.account
  if (caller.kind === 'session') return isSessionOf(id, caller)
  // No check is needed here: the commit also changes the state of the link and checks that the link is still
  // usable.
  if (caller.kind === 'bridge') return eq(accounts.id, id)
  const isLive = and(
    eq(apiKeys.id, caller.key.id),
    eq(apiKeys.accountId, id),
    eq(apiKeys.enabled, true),
    isNull(apiKeys.revokedAt),
  )
  const key = db.select({ id: apiKeys.id }).from(apiKeys).where(isLive)
  return and(eq(accounts.id, id), isNull(accounts.blockedAt), exists(key))
}
