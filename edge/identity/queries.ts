import { and, eq, exists, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isSessionOf } from '../accounts/credential-guard.ts'
import type { AccountRow } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { accounts, apiKeys, idpFlows, jobs, webhookDeliveries, webhookSecrets } from '../tables.ts'
import { closeLinksStatement } from '../upload-links/queries.ts'

export type StoredFlow = typeof idpFlows.$inferSelect

/** Keeps a sign-in that begins at the identity provider, and forgets those that took too long. */
export async function insertFlow(db: Database, flow: StoredFlow, now: number): Promise<void> {
  await db.batch([db.delete(idpFlows).where(lt(idpFlows.expiresAt, now)), db.insert(idpFlows).values(flow)])
}

/** Takes a sign-in out: each can be finished once. @returns undefined where there is none, or none any more. */
export async function takeFlow(db: Database, state: string, now: number): Promise<StoredFlow | undefined> {
  const [row] = await db.delete(idpFlows).where(eq(idpFlows.state, state)).returning()
  return row !== undefined && row.expiresAt > now ? row : undefined
}

interface LinkedIdentity {
  issuer: string
  subject: string
}

/** The account that an identity is linked to, and the one that has this address. */
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

/** Links an account that has no identity yet; one that another account has fails as a conflict. */
export function linkStatement(
  db: Database,
  accountId: number,
  { issuer, subject }: LinkedIdentity,
): Statement {
  return db
    .update(accounts)
    .set({ idpIssuer: issuer, idpSubject: subject })
    .where(and(eq(accounts.id, accountId), isNull(accounts.idpSubject)))
}

/** @returns false when the account has no password: then the identity is the only way in, and stays. */
export async function unlinkIdentity(db: Database, accountId: number): Promise<boolean> {
  const changed = await db
    .update(accounts)
    .set({ idpIssuer: null, idpSubject: null })
    .where(and(eq(accounts.id, accountId), sql`${accounts.passwordHash} IS NOT NULL`))
    .returning({ id: accounts.id })
  return changed.length > 0
}

/**
 * Makes the commit that it is a part of fail as a lost race where the account's address was confirmed meanwhile, or
 * another account came to have this identity.
 */
export function stillForeignStatement(
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

/** What an account tells of its person. */
type Named = Pick<AccountRow, 'fullName'> & Partial<Pick<AccountRow, 'locale'>>

/**
 * Ends every way into an account that somebody may have opened with another person's address, and what they had
 * told them of it.
 */
export function disownStatements(db: Database, accountId: number, owner: Named): Statement[] {
  return [
    db
      .update(accounts)
      .set({
        ...owner,
        passwordHash: null,
        idpIssuer: null,
        idpSubject: null,
        keptSession: null,
        sessionEpoch: sql`${accounts.sessionEpoch} + 1`,
      })
      .where(eq(accounts.id, accountId)),
    // Not only paused: the owner could resume one, and let the stranger in who knows it.
    db.delete(apiKeys).where(eq(apiKeys.accountId, accountId)),
    db.update(jobs).set({ webhookUrl: null }).where(eq(jobs.accountId, accountId)),
    db.delete(webhookDeliveries).where(eq(webhookDeliveries.accountId, accountId)),
    // By each of them a job can be sent that the account pays.
    closeLinksStatement(db, accountId),
    // Who has read it could go on signing webhooks in the owner's name; the next one is made when it is needed.
    db.delete(webhookSecrets).where(eq(webhookSecrets.accountId, accountId)),
  ]
}

/**
 * Sets a password where the old one is still the one that was checked, and the session that asks goes on; ends all
 * sessions but that.
 */
export async function changePassword(
  db: Database,
  { account, ...session }: SessionCaller,
  { from, to }: { from: string | null; to: string },
): Promise<AccountRow | undefined> {
  const [row] = await db
    .update(accounts)
    .set({
      passwordHash: to,
      keptSession: session.session_id,
      sessionEpoch: sql`${accounts.sessionEpoch} + 1`,
    })
    .where(and(isSessionOf(account.id, session), isPassword(from)))
    .returning()
  return row
}

/** Replaces a hash by a stronger one of the same password. */
export async function replaceHash(db: Database, accountId: number, from: string, to: string): Promise<void> {
  await db
    .update(accounts)
    .set({ passwordHash: to })
    .where(and(eq(accounts.id, accountId), isPassword(from)))
}

function isPassword(hash: string | null) {
  return hash === null ? isNull(accounts.passwordHash) : eq(accounts.passwordHash, hash)
}
