import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { StoredJob } from '../jobs/queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { jobs, uploadSessions } from '../tables.ts'
import { statesBefore, type UploadSessionState } from './rules/sessions.ts'

export type StoredSession = typeof uploadSessions.$inferSelect

/** A session with the job that was made of its file. */
export interface FoundSession {
  session: StoredSession
  job: StoredJob | null
}

export function insertSessionStatement(db: Database, session: typeof uploadSessions.$inferInsert): Statement {
  return db.insert(uploadSessions).values(session)
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

export function listSessions(
  db: Database,
  accountId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<FoundSession[]> {
  return withJob(db)
    .where(eq(uploadSessions.accountId, accountId))
    .orderBy(desc(uploadSessions.createdAt), desc(uploadSessions.id))
    .limit(limit)
    .offset(offset)
}

const canMoveTo = (state: UploadSessionState) => inArray(uploadSessions.status, statesBefore(state))

/** Whatever is not open any more was used, or came to an end without a file. */
const CLOSED: readonly UploadSessionState[] = ['processing', 'done', 'failed', 'expired', 'canceled']

/** Moves a session on from where it was seen. @returns false when somebody else did first. */
export async function moveSession(
  db: Database,
  { id, status }: Pick<StoredSession, 'id' | 'status'>,
  move: { status: UploadSessionState; error?: string | null },
): Promise<boolean> {
  const moved = await db
    .update(uploadSessions)
    .set({ ...move, ...(CLOSED.includes(move.status) ? { uses: 1 } : {}) })
    .where(and(eq(uploadSessions.id, id), eq(uploadSessions.status, status), canMoveTo(move.status)))
    .returning({ id: uploadSessions.id })
  return moved.length > 0
}

/** Withdraws all links of an account that can still be used. */
export function closeLinksStatement(db: Database, accountId: number): Statement {
  return db
    .update(uploadSessions)
    .set({ status: 'canceled', uses: 1 })
    .where(and(eq(uploadSessions.accountId, accountId), notInArray(uploadSessions.status, [...CLOSED])))
}

/** An upload was begun by the link; it takes the place of one before it. @returns false for a link that is closed. */
export async function beginUpload(db: Database, id: string, uploadKey: string): Promise<boolean> {
  const begun = await db
    .update(uploadSessions)
    .set({ status: 'uploading', uploadKey, attempts: sql`${uploadSessions.attempts} + 1` })
    .where(and(eq(uploadSessions.id, id), canMoveTo('uploading')))
    .returning({ id: uploadSessions.id })
  return begun.length > 0
}

/**
 * What came was refused: the link is as if nothing had been sent. @returns false where another upload was begun
 * since, or the link was closed.
 */
export async function reopenSession(db: Database, id: string, uploadKey: string): Promise<boolean> {
  const reopened = await db
    .update(uploadSessions)
    .set({ status: 'pending', uploadKey: null })
    .where(and(eq(uploadSessions.id, id), eq(uploadSessions.uploadKey, uploadKey), canMoveTo('pending')))
    .returning({ id: uploadSessions.id })
  return reopened.length > 0
}

/**
 * Uses the link up, in the commit of its job. The CHECK refuses that commit where the link was used, withdrawn
 * or run out since it was looked at.
 */
export function useSessionStatement(db: Database, id: string, jobId: string): Statement {
  return db
    .update(uploadSessions)
    .set({ status: 'processing', jobId, uses: sql`${uploadSessions.uses} + 1` })
    .where(eq(uploadSessions.id, id))
}
