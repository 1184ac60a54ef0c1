import { and, eq, exists, isNotNull, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isSessionOf } from '../accounts/credential-guard.ts'
import type { AccountRow } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { deleteSessionsStatement } from '../accounts/session-queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { accounts, allowedOrigins, apiKeys, batches, idpFlows, jobs, storageConnections } from '../tables.ts'
import { closeLinksStatement } from '../upload-links/queries.ts'
import { deleteDeliveriesStatements, deleteReceiversStatements } from '../webhooks/delete-queries.ts'

export type StoredFlow = typeof idpFlows.$inferSelect

/** Stores a started sign-in and deletes expired ones. */
export async function insertFlow(db: Database, flow: StoredFlow, now: number): Promise<void> {
  await db.batch([db.delete(idpFlows).where(lt(idpFlows.expiresAt, now)), db.insert(idpFlows).values(flow)])
}

/**
 * Deletes and returns a sign-in, so each one can be finished only once.
 * @returns undefined if there is none or it has expired.
 */
export async function consumeFlow(db: Database, state: string, now: number): Promise<StoredFlow | undefined> {
  const [row] = await db.delete(idpFlows).where(eq(idpFlows.state, state)).returning()
  return row !== undefined && row.expiresAt > now ? row : undefined
}

interface LinkedIdentity {
  issuer: string
  subject: string
}

/** Returns the account linked to an identity, and the account with the identity's email address. */
export async function findByIdentity(
  db: Database,
  { issuer, subject }: LinkedIdentity,
  emailKey: string | null,
): Promise<{ linked?: AccountRow; sameAddress?: AccountRow }> {
  const isLinked = and(eq(accounts.idpIssuer, issuer), eq(accounts.idpSubject, subject))
  const rows = await db
    .select()
    .from(accounts)
    .where(emailKey === null ? isLinked : or(isLinked, eq(accounts.emailKey, emailKey)))
  return {
    linked: rows.find(({ idpIssuer, idpSubject }) => idpIssuer === issuer && idpSubject === subject),
    sameAddress: rows.find((row) => row.emailKey === emailKey),
  }
}

/** Links an account that has no identity. An identity that is already linked causes a conflict. */
export function linkStatement(
  db: Database,
  accountId: number,
  { issuer, subject }: LinkedIdentity,
  now: number,
): Statement {
  return db
    .update(accounts)
    .set({ idpIssuer: issuer, idpSubject: subject, idpLinkedAt: now })
    .where(and(eq(accounts.id, accountId), isNull(accounts.idpSubject)))
}

/** Removes the link of an account to an identity. */
export function removeLinkStatement(
  db: Database,
  accountId: number,
  { issuer, subject }: LinkedIdentity,
): Statement {
  return db
    .update(accounts)
    .set(UNLINKED)
    .where(and(eq(accounts.id, accountId), eq(accounts.idpIssuer, issuer), eq(accounts.idpSubject, subject)))
}

/** Unlinks the identity, and makes the commit fail as a lost race if it is the only way to sign in by then. */
export function unlinkStatements(db: Database, accountId: number): Statement[] {
  const own = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.passwordHash)))
  return [
    guardStatement(db, exists(own)),
    db.update(accounts).set(UNLINKED).where(eq(accounts.id, accountId)),
  ]
}

/** Values of an account without an identity. */
const UNLINKED = { idpIssuer: null, idpSubject: null, idpLinkedAt: null }

/** Whether the session that started a link has proved the identity of the caller. */
export async function isProvenFlow(db: Database, state: string, sessionId: string): Promise<boolean> {
  const isOwn = and(eq(idpFlows.state, state), eq(idpFlows.sessionId, sessionId), eq(idpFlows.isProven, true))
  return (await db.select({ state: idpFlows.state }).from(idpFlows).where(isOwn)).length > 0
}

/**
 * Makes the commit fail as a lost race if the account's address was verified or the identity was linked
 * concurrently.
 */
export function unlinkedGuard(
  db: Database,
  accountId: number,
  { issuer, subject }: LinkedIdentity,
): Statement {
  const other = alias(accounts, 'other')
  const elsewhere = db
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.idpIssuer, issuer), eq(other.idpSubject, subject), ne(other.id, accountId)))
  const own = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.emailVerifiedAt), notExists(elsewhere)))
  return guardStatement(db, exists(own))
}

/** An account's personal data. */
type Named = Pick<AccountRow, 'fullName'> & Partial<Pick<AccountRow, 'locale'>>

/**
 * Ends every way into an account that someone may have created with another person's address, and removes the
 * personal data that was entered.
 */
export function revokeAccessStatements(db: Database, accountId: number, owner: Named): Statement[] {
  return [
    db
      .update(accounts)
      .set({
        ...owner,
        passwordHash: null,
        ...UNLINKED,
        keptSession: null,
        sessionEpoch: sql`${accounts.sessionEpoch} + 1`,
      })
      .where(eq(accounts.id, accountId)),
    db.update(jobs).set({ webhookUrl: null }).where(eq(jobs.accountId, accountId)),
    db.update(batches).set({ webhookUrl: null }).where(eq(batches.accountId, accountId)),
    ...deleteDeliveriesStatements(db, accountId),
    ...endAccessStatements(db, accountId),
  ]
}

export function deleteKeysStatement(db: Database, accountId: number): Statement {
  return db.delete(apiKeys).where(eq(apiKeys.accountId, accountId))
}

/**
 * Revokes all access to an account except passwords, and removes all receivers of its events. Commit it together with a
 * new session epoch.
 */
export function endAccessStatements(db: Database, accountId: number): Statement[] {
  return [
    deleteSessionsStatement(db, accountId, null),
    // Keys are deleted rather than paused: the owner could resume a paused key that a stranger knows.
    deleteKeysStatement(db, accountId),
    db.delete(allowedOrigins).where(eq(allowedOrigins.accountId, accountId)),
    // A stranger could read the exports of the owner's jobs.
    db.delete(storageConnections).where(eq(storageConnections.accountId, accountId)),
    // Anyone with one of these links could submit a job that the account pays for.
    closeLinksStatement(db, accountId),
    // A stranger who knows a secret could forge signatures on the owner's webhooks.
    ...deleteReceiversStatements(db, accountId),
  ]
}

/** Makes the commit fail as a lost race if the verified password was changed or the session has ended. */
export function passwordGuard(
  db: Database,
  { account, ...session }: SessionCaller,
  verified: string | null,
): Statement {
  const unchanged = and(isSessionOf(account.id, session), isPassword(verified))
  return guardStatement(db, exists(db.select({ id: accounts.id }).from(accounts).where(unchanged)))
}

/** Replaces a hash with a stronger hash of the same password. */
export async function replaceHash(db: Database, accountId: number, from: string, to: string): Promise<void> {
  await db
    .update(accounts)
    .set({ passwordHash: to })
    .where(and(eq(accounts.id, accountId), isPassword(from)))
}

function isPassword(hash: string | null) {
  return hash === null ? isNull(accounts.passwordHash) : eq(accounts.passwordHash, hash)
}
