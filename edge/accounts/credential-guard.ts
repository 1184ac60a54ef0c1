import { and, eq, exists, isNull, or, type SQL } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { accounts, apiKeys } from '../tables.ts'
import type { AccountCaller, LinkOwner, SessionCaller } from './rules/caller.ts'

export type SessionProof = Pick<SessionCaller, 'session_id' | 'epoch'>

/** Of a row of `accounts`: it is the one that this session opens, and still does. */
export function isSessionOf(account_id: number, { session_id, epoch }: SessionProof): SQL | undefined {
  return and(
    eq(accounts.id, account_id),
    or(eq(accounts.sessionEpoch, epoch), eq(accounts.keptSession, session_id)),
    isNull(accounts.blockedAt),
  )
}

/** The account of a caller who was let in before, where they would still be: by a session that goes on, or a key that is on. */
export function stillAllowedQuery(db: Database, caller: AccountCaller | LinkOwner) {
  return db.select({ id: accounts.id }).from(accounts).where(stillAllowed(db, caller))
}

/** Makes the commit that it is a part of fail as a lost race where the caller's session or key was ended meanwhile. */
export function stillAllowedStatement(db: Database, caller: AccountCaller | LinkOwner): Statement {
  return guardStatement(db, exists(stillAllowedQuery(db, caller)))
}

/** What an administrator who was let in before is now; nothing where their session was ended meanwhile. */
export function administratorQuery(db: Database, { account, ...session }: SessionCaller) {
  return db.select({ isAdmin: accounts.isAdmin }).from(accounts).where(isSessionOf(account.id, session))
}

/** Makes the commit that it is part of fail as a lost race if the session has ended, or is no administrator's. */
export function administratorGuard(db: Database, { account, ...session }: SessionCaller): Statement {
  const isAdministrator = and(isSessionOf(account.id, session), eq(accounts.isAdmin, true))
  return guardStatement(db, exists(db.select({ id: accounts.id }).from(accounts).where(isAdministrator)))
}

/** Of a row of `accounts`. */
function stillAllowed(db: Database, caller: AccountCaller | LinkOwner): SQL | undefined {
  const { id } = caller.account
  if (caller.kind === 'session') return isSessionOf(id, caller)
  // The link itself says whether it may still be used, and moves on in the same commit.
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
