import { and, desc, eq, gt, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { StoredJob } from '../jobs/queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { type FilteredList, readPage } from '../platform/database/filtered-list.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import type { Page, Span } from '../platform/rules/paging.ts'
import { jobs, uploadSessions } from '../tables.ts'
import { statesBefore, type UploadSessionState } from './rules/sessions.ts'

export type StoredSession = typeof uploadSessions.$inferSelect

/** An upload session and its job. */
export interface FoundSession {
  session: StoredSession
  job: StoredJob | null
}

export function insertSessionStatement(db: Database, session: typeof uploadSessions.$inferInsert): Statement {
  return db.insert(uploadSessions).values(session)
}

/** Longest time for which a link is open, which bounds the rows to read. */
const OPEN_MS_MAX = 7 * DAY_MS

/** Matches the links of an account that still accept a file. */
const isOpenOf = (accountId: number, now: number) =>
  and(
    eq(uploadSessions.accountId, accountId),
    gt(uploadSessions.createdAt, now - OPEN_MS_MAX),
    gt(uploadSessions.expiresAt, now),
    inArray(uploadSessions.status, ['pending', 'uploading']),
  )

const OPEN_LINKS = sql<number>`count(*)`.mapWith(Number)
const OPEN_BYTES = sql<number>`coalesce(sum(octet_length(${uploadSessions.params})), 0)`.mapWith(Number)

/** Counts the open links of an account, and the bytes of their parameters. */
export async function measureOpenSessions(
  db: Database,
  accountId: number,
  now: number,
): Promise<{ links: number; bytes: number }> {
  const [found] = await db
    .select({ links: OPEN_LINKS, bytes: OPEN_BYTES })
    .from(uploadSessions)
    .where(isOpenOf(accountId, now))
  return found ?? { links: 0, bytes: 0 }
}

/** Makes the commit that inserts a link fail as a lost race if the open links of the account exceed the limits. */
export function openSessionsGuard(
  db: Database,
  accountId: number,
  { links_max, bytes_max }: { links_max: number; bytes_max: number },
  now: number,
): Statement {
  const isWithin = sql`${OPEN_LINKS} <= ${links_max} AND ${OPEN_BYTES} <= ${bytes_max}`
  const held = db.select({ isWithin }).from(uploadSessions).where(isOpenOf(accountId, now))
  return guardStatement(db, sql`(${held})`)
}

const withJob = (db: Database) =>
  db
    .select({ session: uploadSessions, job: jobs })
    .from(uploadSessions)
    .leftJoin(jobs, eq(jobs.id, uploadSessions.jobId))

export async function findSession(
  db: Database,
  accountId: number,
  id: string,
): Promise<FoundSession | undefined> {
  const isTheirs = and(eq(uploadSessions.id, id), eq(uploadSessions.accountId, accountId))
  const [found] = await withJob(db).where(isTheirs)
  return found
}

export async function findSessionByToken(db: Database, tokenHash: string): Promise<FoundSession | undefined> {
  const [found] = await withJob(db).where(eq(uploadSessions.tokenHash, tokenHash))
  return found
}

/** Returns the account that owns a link. */
export async function findOwnerByToken(db: Database, tokenHash: string): Promise<number | undefined> {
  const [found] = await db
    .select({ accountId: uploadSessions.accountId })
    .from(uploadSessions)
    .where(eq(uploadSessions.tokenHash, tokenHash))
  return found?.accountId
}

/** Returns the list of an account's sessions. */
export function sessionsOf(accountId: number): FilteredList<typeof uploadSessions> {
  return { table: uploadSessions, indexed: eq(uploadSessions.accountId, accountId), scanned_max: 20_000 }
}

/** Selects sessions with their jobs, by a query of their ids, newest first. */
export function sessionsQuery(db: Database, ids: SQL) {
  return withJob(db)
    .where(sql`${uploadSessions.id} IN (${ids})`)
    .orderBy(desc(uploadSessions.createdAt), desc(uploadSessions.id))
}

/** Reads a page of an account's sessions, newest first. */
export function readSessionsPage(db: Database, accountId: number, span: Span): Promise<Page<FoundSession>> {
  return readPage(db, sessionsOf(accountId), span, {
    select: (ids) => sessionsQuery(db, ids),
    placeOf: ({ session: { id, createdAt } }) => ({ at: createdAt, id }),
  })
}

const canTransitionTo = (state: UploadSessionState) => inArray(uploadSessions.status, statesBefore(state))

/** In these states, a session was used or has ended without a file. */
const CLOSED: readonly UploadSessionState[] = ['processing', 'done', 'failed', 'expired', 'canceled']

/** Changes the state of a session. Returns false if the state changed concurrently. */
export async function transitionSession(
  db: Database,
  { id, status }: Pick<StoredSession, 'id' | 'status'>,
  transition: { status: UploadSessionState; error?: string | null },
): Promise<boolean> {
  const changed = await db
    .update(uploadSessions)
    .set({ ...transition, ...(CLOSED.includes(transition.status) ? { uses: 1 } : {}) })
    .where(
      and(eq(uploadSessions.id, id), eq(uploadSessions.status, status), canTransitionTo(transition.status)),
    )
    .returning({ id: uploadSessions.id })
  return changed.length > 0
}

/** Withdraws all open links of an account. */
export function closeLinksStatement(db: Database, accountId: number): Statement {
  return db
    .update(uploadSessions)
    .set({ status: 'canceled', uses: 1 })
    .where(and(eq(uploadSessions.accountId, accountId), notInArray(uploadSessions.status, [...CLOSED])))
}

/** Assigns a new upload to the link, replacing any earlier one. Returns false if the link is closed. */
export async function beginUpload(db: Database, id: string, uploadKey: string): Promise<boolean> {
  const begun = await db
    .update(uploadSessions)
    .set({ status: 'uploading', uploadKey, attempts: sql`${uploadSessions.attempts} + 1` })
    .where(and(eq(uploadSessions.id, id), canTransitionTo('uploading')))
    .returning({ id: uploadSessions.id })
  return begun.length > 0
}

/**
 * Makes the link usable again after its file was refused. Returns false if another upload was started or the link
 * was closed.
 */
export async function reopenSession(db: Database, id: string, uploadKey: string): Promise<boolean> {
  const reopened = await db
    .update(uploadSessions)
    .set({ status: 'pending', uploadKey: null })
    .where(
      and(eq(uploadSessions.id, id), eq(uploadSessions.uploadKey, uploadKey), canTransitionTo('pending')),
    )
    .returning({ id: uploadSessions.id })
  return reopened.length > 0
}

/**
 * Uses up the link in the same commit as its job. The CHECK rejects the commit if a concurrent change used,
 * withdrew or expired the link.
 */
export function useSessionStatement(db: Database, id: string, jobId: string): Statement {
  return db
    .update(uploadSessions)
    .set({ status: 'processing', jobId, uses: sql`${uploadSessions.uses} + 1` })
    .where(eq(uploadSessions.id, id))
}
