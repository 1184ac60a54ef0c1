import { and, count, eq, inArray, isNotNull, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { ATTEMPTS_PER_DISPATCH } from '../../shared/protocol/job-report.ts'
import { summaryDueStatements } from '../notifications/queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { jobMoves, jobs } from '../tables.ts'
import { type UsageAction, usageStatements } from '../usage/queries.ts'
import type { KeptFile } from './rules/retention.ts'
import { canMove, isOver, type JobState } from './rules/states.ts'

export type StoredJob = typeof jobs.$inferSelect
type Given =
  | 'id'
  | 'repeatOf'
  | 'accountId'
  | 'serviceSlug'
  | 'operationKey'
  | 'params'
  | 'dispatch'
  | 'source'
  | 'estimatedCost'
  | 'tariff'
  | 'createdAt'
type MayBeGiven =
  | 'keyId'
  | 'resultId'
  | 'webhookUrl'
  | 'anonymousKey'
  | 'anonymousNumber'
  | 'ownerKey'
  | 'batchId'
  | 'batchPosition'
export type NewJob = Pick<StoredJob, Given> & Partial<Pick<StoredJob, MayBeGiven>>

/** A job's row as it is when it was just submitted. */
export function newJob(given: NewJob): StoredJob {
  return {
    keyId: null,
    resultId: null,
    webhookUrl: null,
    anonymousKey: null,
    anonymousNumber: null,
    ownerKey: null,
    batchId: null,
    batchPosition: null,
    ...given,
    status: 'queued',
    progress: 0,
    finalCost: null,
    processingMs: null,
    error: null,
    errorCode: null,
    result: null,
    moves: 1,
    fence: 0,
    heardAt: given.createdAt,
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
    purgedAt: null,
  }
}

export function jobQuery(db: Database, id: string) {
  return db.select().from(jobs).where(eq(jobs.id, id))
}

/**
 * Jobs by the folders of their results, as `resultIdOf` reads them from keys. Results stored before jobs had a
 * result id lie under the job's id.
 */
const hasResultIn = (result_ids: string[]) =>
  or(inArray(jobs.resultId, result_ids), inArray(jobs.id, result_ids))

export function jobsByResultQuery(db: Database, result_ids: string[]) {
  return db.select().from(jobs).where(hasResultIn(result_ids))
}

/** Those of an account's jobs that are neither done, failed nor canceled. */
const isOpenOf = (accountId: number) =>
  and(eq(jobs.accountId, accountId), inArray(jobs.status, ['queued', 'processing']))

/** How many jobs of an account are open. */
export function openJobsQuery(db: Database, accountId: number) {
  return db.select({ total: count() }).from(jobs).where(isOpenOf(accountId))
}

export function listOpenJobsOf(db: Database, accountId: number) {
  return db.select({ id: jobs.id, accountId: jobs.accountId }).from(jobs).where(isOpenOf(accountId))
}

/** The condition of an index, which it is only used by: there may be many jobs that are over. */
const IS_OPEN_ANONYMOUS = sql`anonymous_key IS NOT NULL AND status IN ('queued', 'processing')`

export function openAnonymousJobsQuery(db: Database, anonymousKey: string) {
  return db
    .select()
    .from(jobs)
    .where(and(eq(jobs.anonymousKey, anonymousKey), IS_OPEN_ANONYMOUS))
}

/** How many open jobs an anonymous caller has, and the number of its last one. */
export function anonymousJobsQuery(db: Database, anonymousKey: string) {
  const isTheirs = eq(jobs.anonymousKey, anonymousKey)
  const open = db.select({ total: count() }).from(jobs).where(and(isTheirs, IS_OPEN_ANONYMOUS))
  return db
    .select({
      last: sql<number>`coalesce(max(${jobs.anonymousNumber}), 0)`.mapWith(Number),
      open: sql<number>`(${open})`.mapWith(Number),
    })
    .from(jobs)
    .where(isTheirs)
}

/** Jobs that were taken together, few or hundreds. */
export function insertJobsStatements(db: Database, taken: StoredJob[]): Statement[] {
  const moves = taken.map(({ id, moves, status, createdAt }) => ({
    jobId: id,
    number: moves,
    status,
    createdAt,
  }))
  return [
    db.insert(jobs).values(taken),
    db.insert(jobMoves).values(moves),
    ...taken.flatMap((job) => usageStatements(db, usageOf(job, 'submit', job.estimatedCost, job.createdAt))),
  ]
}

function isEnd(status: JobState): status is 'done' | 'failed' | 'canceled' {
  return isOver(status)
}

/** What a job's submit took, or its end took besides or gave back. */
function usageOf(job: StoredJob, action: UsageAction, credits: number, now: number) {
  const { id, accountId, source, serviceSlug, operationKey } = job
  return { accountId, source, action, serviceSlug, operationKey, jobId: id, credits, createdAt: now }
}

/** What a move changes besides the state. */
export type MoveFields = Partial<
  Pick<
    StoredJob,
    | 'fence'
    | 'progress'
    | 'finalCost'
    | 'processingMs'
    | 'error'
    | 'errorCode'
    | 'result'
    | 'startedAt'
    | 'finishedAt'
    | 'expiresAt'
  >
>

/**
 * How long a canceled job was worked on, as far as the fleet reported: the worker stops without a report. NULL where
 * it did not start, or was handed over again and not reported on since.
 */
const REPORTED_MS = sql`CASE WHEN ${jobs.fence} / ${sql.raw(String(ATTEMPTS_PER_DISPATCH))} = ${jobs.dispatch} ->> 'dispatch'
  THEN max(0, ${jobs.heardAt} - ${jobs.startedAt}) END`

/**
 * Moves a job on. Of two moves that start from the same state only one commits; the other loses the race.
 * Throws for a move that there is none of: a job ends once.
 */
export function moveJobStatements(
  db: Database,
  job: StoredJob,
  status: JobState,
  fields: MoveFields,
  now: number,
): Statement[] {
  if (!canMove(job.status, status)) throw new Error(`a job cannot go from ${job.status} to ${status}`)
  const number = job.moves + 1
  return [
    db.insert(jobMoves).values({ jobId: job.id, number, status, createdAt: now }),
    db
      .update(jobs)
      .set({
        ...fields,
        ...(status === 'canceled' && { processingMs: REPORTED_MS }),
        ...{ status, moves: number, heardAt: now },
      })
      .where(eq(jobs.id, job.id)),
    ...(isEnd(status)
      ? usageStatements(db, usageOf(job, status, (fields.finalCost ?? 0) - job.estimatedCost, now))
      : []),
    // Programs poll, or have webhooks; what a person canceled needs no report.
    ...(isEnd(status) && status !== 'canceled' && job.source === 'web' && job.accountId !== null
      ? summaryDueStatements(db, job.accountId, now)
      : []),
  ]
}

/** Cancels open jobs together; as each of them alone, where another move of one was first none is canceled. */
export function cancelJobsStatements(db: Database, open: StoredJob[], now: number): Statement[] {
  if (open.length === 0) return []
  const moves = open.map(({ id, moves }) => ({
    jobId: id,
    number: moves + 1,
    status: 'canceled' as const,
    createdAt: now,
  }))
  const ids = open.map(({ id }) => id)
  return [
    db.insert(jobMoves).values(moves),
    db
      .update(jobs)
      .set({
        status: 'canceled',
        moves: sql`${jobs.moves} + 1`,
        finalCost: 0,
        processingMs: REPORTED_MS,
        finishedAt: now,
        heardAt: now,
      })
      .where(inArray(jobs.id, ids)),
    ...open.flatMap((job) => usageStatements(db, usageOf(job, 'canceled', -job.estimatedCost, now))),
  ]
}

/** Notes that an attempt is alive and how far it is; an attempt with a smaller fence changes nothing. */
export function progressStatement(
  db: Database,
  id: string,
  report: { fence: number; progress: number },
  now: number,
): Statement {
  return db
    .update(jobs)
    .set({ fence: report.fence, progress: report.progress, heardAt: now })
    .where(
      and(
        eq(jobs.id, id),
        inArray(jobs.status, ['queued', 'processing']),
        sql`${jobs.fence} <= ${report.fence}`,
      ),
    )
}

/** Jobs whose result's files have had their time, and the keys of these: no answer would hold all of the results. */
export function listExpiredResults(db: Database, now: number, limit: number) {
  const keys = sql`(SELECT json_group_array(value ->> 'key') FROM json_each(${jobs.result}, '$.files'))`
  return db
    .select({ id: jobs.id, keys: keys.mapWith((text: string): string[] => JSON.parse(text)) })
    .from(jobs)
    .where(and(lte(jobs.expiresAt, now), isNotNull(jobs.result)))
    .limit(limit)
}

/** Keeps results that other jobs read. @param except operations, as "video/link_info", whose results are not kept. */
export function keepResultsStatements(
  db: Database,
  result_ids: string[],
  { until, age_ms_max }: KeptFile,
  except: string[],
): Statement[] {
  if (result_ids.length === 0) return []
  const operation = sql`${jobs.serviceSlug} || '/' || ${jobs.operationKey}`
  return [
    db
      .update(jobs)
      .set({ expiresAt: sql`max(${jobs.expiresAt}, min(${until}, ${jobs.finishedAt} + ${age_ms_max}))` })
      .where(and(hasResultIn(result_ids), isNotNull(jobs.result), notInArray(operation, except))),
  ]
}

export function removeResultStatement(db: Database, id: string, now: number): Statement {
  return db.update(jobs).set({ result: null, purgedAt: now }).where(eq(jobs.id, id))
}

/** Open jobs that were submitted before a time. */
export function listOpenJobs(db: Database, before: number, limit: number) {
  return db
    .select({ id: jobs.id, accountId: jobs.accountId })
    .from(jobs)
    .where(and(inArray(jobs.status, ['queued', 'processing']), lt(jobs.createdAt, before)))
    .limit(limit)
}

/** What of a job is needed to hand it over anew. */
export type SilentJob = Pick<StoredJob, 'id' | 'dispatch' | 'heardAt' | 'moves'>

/**
 * Open jobs that the fleet has not spoken of since a time, the longest silence first. Both states are named
 * beside the one that is asked for: only so is the index of open jobs used.
 */
export function listSilentJobs(
  db: Database,
  status: 'queued' | 'processing',
  before: number,
  limit: number,
): Promise<SilentJob[]> {
  const { id, dispatch, heardAt, moves } = jobs
  return db
    .select({ id, dispatch, heardAt, moves })
    .from(jobs)
    .where(
      and(eq(jobs.status, status), lt(jobs.heardAt, before), inArray(jobs.status, ['queued', 'processing'])),
    )
    .orderBy(jobs.heardAt)
    .limit(limit)
}

/**
 * Hands a silent job over anew under the next number.
 * @returns false when it was heard of meanwhile; then nothing was written.
 */
export async function takeRedispatch(
  db: Database,
  job: SilentJob,
  dispatch: Dispatch,
  now: number,
): Promise<boolean> {
  const taken = await db
    .update(jobs)
    .set({ dispatch, heardAt: now })
    .where(and(eq(jobs.id, job.id), eq(jobs.heardAt, job.heardAt), eq(jobs.moves, job.moves)))
    .returning({ id: jobs.id })
  return taken.length > 0
}
