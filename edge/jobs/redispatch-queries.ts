import { and, asc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { jobs, outbox } from '../tables.ts'
import type { StoredJob } from './queries.ts'

/** The place of a job in the list of silent jobs. */
export type SilentJob = Pick<StoredJob, 'id' | 'heardAt'>

/** The fields of a job that a redispatch needs. */
export type StaleJob = Pick<StoredJob, 'id' | 'status' | 'dispatch' | 'heardAt' | 'transitions'>

/**
 * Lists open jobs that the database has not heard of since `before`, longest silence first. The condition also names
 * both open states, because the partial index requires it.
 * @param after the last job of the page before.
 */
export function listSilentJobs(
  db: Database,
  status: 'queued' | 'processing',
  { before, after, limit }: { before: number; after: SilentJob | null; limit: number },
): Promise<SilentJob[]> {
  const { id, heardAt } = jobs
  const isLater =
    after === null
      ? undefined
      : or(gt(heardAt, after.heardAt), and(eq(heardAt, after.heardAt), gt(id, after.id)))
  return db
    .select({ id, heardAt })
    .from(jobs)
    .where(
      and(
        eq(jobs.status, status),
        lt(heardAt, before),
        inArray(jobs.status, ['queued', 'processing']),
        isLater,
        isNotMoving(jobs.accountId),
      ),
    )
    .orderBy(asc(heardAt), asc(id))
    .limit(limit)
}

/** Loads jobs for a redispatch. The dispatches of 50 jobs fit into one database response. */
export function loadStaleJobs(db: Database, ids: string[]): Promise<StaleJob[]> {
  const { id, status, dispatch, heardAt, transitions } = jobs
  return db.select({ id, status, dispatch, heardAt, transitions }).from(jobs).where(inArray(id, ids))
}

/** Assigns the next dispatch number to a stale job. Changes nothing if a report arrived concurrently. */
export function claimRedispatchStatement(
  db: Database,
  job: StaleJob,
  dispatch: Dispatch,
  now: number,
): Statement {
  return db
    .update(jobs)
    .set({ dispatch, heardAt: now })
    .where(and(eq(jobs.id, job.id), eq(jobs.heardAt, job.heardAt), eq(jobs.transitions, job.transitions)))
}

/** Selects the jobs among these that a claim of this time has changed. */
const isClaimed = (ids: string[], now: number) =>
  and(inArray(jobs.id, ids), eq(jobs.heardAt, now), inArray(jobs.status, ['queued', 'processing']))

/** Writes the dispatches of claimed jobs to the outbox, in the commit of the claims. */
export function addDispatchesStatement(db: Database, ids: string[], now: number, dueAt: number): Statement {
  return db
    .insert(outbox)
    .select(
      sql`SELECT 'dispatch:' || ${jobs.id} || ':' || (${jobs.dispatch} ->> 'dispatch'), 'dispatch', ${jobs.dispatch}, 0,
        ${dueAt}, ${now} FROM ${jobs} WHERE ${isClaimed(ids, now)}`,
    )
    .onConflictDoNothing()
}

/** Lists which of these jobs a claim of this time has changed. */
export async function listClaimed(db: Database, ids: string[], now: number): Promise<Set<string>> {
  const rows = await db.select({ id: jobs.id }).from(jobs).where(isClaimed(ids, now))
  return new Set(rows.map(({ id }) => id))
}
