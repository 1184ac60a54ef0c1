import {
  and,
  count,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { ATTEMPTS_PER_DISPATCH } from '../../shared/protocol/job-report.ts'
import { summaryDueStatements } from '../notifications/queries.ts'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { batches, jobs, jobTransitions } from '../tables.ts'
import { releaseUploadsStatements } from '../uploads/queries.ts'
import { uploadKeysOf } from '../uploads/rules/addresses.ts'
import { type UsageAction, usageStatements } from '../usage/queries.ts'
import type { KeptFile } from './rules/retention.ts'
import { canTransition, isOver, type JobState } from './rules/states.ts'

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
  | 'output'
  | 'sealedHeaders'
  | 'tag'
  | 'metadata'
  | 'template'
  | 'anonymousKey'
  | 'anonymousBlock'
  | 'anonymousNumber'
  | 'ownerKey'
  | 'batchId'
  | 'batchPosition'
export type NewJob = Pick<StoredJob, Given> & Partial<Pick<StoredJob, MayBeGiven>>

/** Builds the row of a newly submitted job. */
export function newJob(given: NewJob): StoredJob {
  return {
    keyId: null,
    resultId: null,
    webhookUrl: null,
    output: null,
    sealedHeaders: null,
    tag: null,
    metadata: {},
    template: null,
    anonymousKey: null,
    anonymousBlock: null,
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
    failure: null,
    result: null,
    transitions: 1,
    fence: 0,
    heardAt: given.createdAt,
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
    purgedAt: null,
    deletedAt: null,
  }
}

export function jobQuery(db: Database, id: string) {
  return db.select().from(jobs).where(eq(jobs.id, id))
}

export function listJobs(db: Database, ids: string[]) {
  return db.select().from(jobs).where(inArray(jobs.id, ids))
}

/** Returns true for a job or batch, and null for an unknown id. */
export async function hasJob(db: Database, id: string): Promise<true | null> {
  const [job, batch] = await db.batch([
    db.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id)),
    db.select({ id: batches.id }).from(batches).where(eq(batches.id, id)),
  ])
  return job.length + batch.length > 0 ? true : null
}

/** Checks whether an id is that of a job or batch without an account. */
export async function hasAnonymousWork(db: Database, id: string): Promise<boolean> {
  const [job, batch] = await db.batch([
    db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.id, id), isNull(jobs.accountId))),
    db
      .select({ id: batches.id })
      .from(batches)
      .where(and(eq(batches.id, id), isNull(batches.accountId))),
  ])
  return job.length + batch.length > 0
}

/** Selects a job together with related facts, each of which is one value. */
export function jobWithFactsQuery<Facts extends Record<string, SQL>>(db: Database, id: string, facts: Facts) {
  return db
    .select({ ...getTableColumns(jobs), ...facts })
    .from(jobs)
    .where(eq(jobs.id, id))
}

/**
 * Matches jobs by result id, as `resultIdOf` reads it from a storage key. Older results are stored under the job id
 * instead.
 */
const hasResultIn = (result_ids: string[]) =>
  or(inArray(jobs.resultId, result_ids), inArray(jobs.id, result_ids))

export function jobsByResultQuery(db: Database, result_ids: string[]) {
  return db.select().from(jobs).where(hasResultIn(result_ids))
}

/** Matches open jobs of an account: those that are not done, failed, or canceled. */
const isOpenOf = (accountId: number) =>
  and(eq(jobs.accountId, accountId), inArray(jobs.status, ['queued', 'processing']))

/** Counts the open jobs of an account. */
export function openJobsQuery(db: Database, accountId: number) {
  return db.select({ total: count() }).from(jobs).where(isOpenOf(accountId))
}

/** Repeats the exact condition of a partial index, so finished jobs are not scanned. */
const IS_OPEN_ANONYMOUS = sql`anonymous_key IS NOT NULL AND status IN ('queued', 'processing')`

export function openAnonymousJobsQuery(db: Database, anonymousKey: string) {
  return db
    .select()
    .from(jobs)
    .where(and(eq(jobs.anonymousKey, anonymousKey), IS_OPEN_ANONYMOUS))
}

/** Selects how many open jobs the anonymous callers of a block have. */
export function openJobsOfBlockQuery(db: Database, block: string) {
  const isOpen = sql`anonymous_block IS NOT NULL AND status IN ('queued', 'processing')`
  return db
    .select({ open: count() })
    .from(jobs)
    .where(and(eq(jobs.anonymousBlock, block), isOpen))
}

/** Selects how many open jobs an anonymous caller has and the number of the caller's latest job. */
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

/** Returns statements that insert one or more jobs, up to hundreds. */
export function insertJobsStatements(db: Database, accepted: StoredJob[]): Statement[] {
  const transitions = accepted.map(({ id, transitions, status, createdAt }) => ({
    jobId: id,
    number: transitions,
    status,
    createdAt,
  }))
  return [
    db.insert(jobs).values(accepted),
    db.insert(jobTransitions).values(transitions),
    ...accepted.flatMap((job) =>
      usageStatements(db, usageOf(job, 'submit', job.estimatedCost, job.createdAt)),
    ),
  ]
}

function isEnd(status: JobState): status is 'done' | 'failed' | 'canceled' {
  return isOver(status)
}

/** Builds the usage event for the submission or the end of a job, with the credits it charged or refunded. */
function usageOf(job: StoredJob, action: UsageAction, credits: number, now: number) {
  const { id, accountId, source, serviceSlug, operationKey } = job
  return { accountId, source, action, serviceSlug, operationKey, jobId: id, credits, createdAt: now }
}

/** Fields that a transition sets in addition to the state. */
export type TransitionFields = Partial<
  Pick<
    StoredJob,
    | 'fence'
    | 'progress'
    | 'finalCost'
    | 'processingMs'
    | 'error'
    | 'errorCode'
    | 'failure'
    | 'result'
    | 'startedAt'
    | 'finishedAt'
    | 'expiresAt'
  >
>

/**
 * Returns the processing time of a canceled job, whose worker stops without a final report. Null if the job never
 * started, or if it was redispatched and has not reported since.
 */
function reportedMs({ fence, dispatch, heardAt, startedAt }: StoredJob): number | null {
  const isCurrent = Math.floor(fence / ATTEMPTS_PER_DISPATCH) === dispatch.dispatch
  return isCurrent && startedAt !== null ? Math.max(0, heardAt - startedAt) : null
}

/**
 * Returns the statements for a state transition. If two transitions from the same state run concurrently, only one
 * commits; the other loses the race. Throws for an invalid transition, because a job ends only once.
 */
export function transitionJobStatements(
  db: Database,
  job: StoredJob,
  status: JobState,
  fields: TransitionFields,
  now: number,
): Statement[] {
  if (!canTransition(job.status, status)) throw new Error(`a job cannot go from ${job.status} to ${status}`)
  const number = job.transitions + 1
  return [
    db.insert(jobTransitions).values({ jobId: job.id, number, status, createdAt: now }),
    db
      .update(jobs)
      .set({
        ...fields,
        ...(status === 'canceled' && { processingMs: reportedMs(job) }),
        ...(isEnd(status) && job.sealedHeaders !== null && { sealedHeaders: '' }),
        ...{ status, transitions: number, heardAt: now },
      })
      .where(eq(jobs.id, job.id)),
    ...(isEnd(status) && status !== 'done' ? releaseUploadsStatements(db, [uploadKeysOf(job.dispatch)]) : []),
    ...(isEnd(status)
      ? usageStatements(db, usageOf(job, status, (fields.finalCost ?? 0) - job.estimatedCost, now))
      : []),
    // Only web jobs send notifications: programs poll or use webhooks, and a user who cancels already knows.
    ...(isEnd(status) && status !== 'canceled' && job.source === 'web' && job.accountId !== null
      ? summaryDueStatements(db, job.accountId, now)
      : []),
  ]
}

/** Returns statements that cancel a set of open jobs. If any of them changed concurrently, none is canceled. */
export function cancelJobsStatements(db: Database, open: StoredJob[], now: number): Statement[] {
  if (open.length === 0) return []
  const transitions = open.map(({ id, transitions }) => ({
    jobId: id,
    number: transitions + 1,
    status: 'canceled' as const,
    createdAt: now,
  }))
  const sealedHeaders = sql`iif(${jobs.sealedHeaders} IS NULL, NULL, '')`
  const ended = { status: 'canceled', finalCost: 0, finishedAt: now, heardAt: now, sealedHeaders } as const
  const byTime = Map.groupBy(open, reportedMs)
  return [
    db.insert(jobTransitions).values(transitions),
    ...[...byTime].map(([processingMs, some]) =>
      db
        .update(jobs)
        .set({ ...ended, processingMs, transitions: sql`${jobs.transitions} + 1` })
        .where(
          inArray(
            jobs.id,
            some.map(({ id }) => id),
          ),
        ),
    ),
    ...releaseUploadsStatements(
      db,
      open.map(({ dispatch }) => uploadKeysOf(dispatch)),
    ),
    ...open.flatMap((job) => usageStatements(db, usageOf(job, 'canceled', -job.estimatedCost, now))),
  ]
}

/** Records a new attempt of a running job. Ignored if a later attempt has already reported. */
export function attemptStatement(db: Database, id: string, fence: number, now: number): Statement {
  return db
    .update(jobs)
    .set({ fence, heardAt: now })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), lt(jobs.fence, fence)))
}

/**
 * Lists expired results with their storage keys. The limit is needed because all expired results could exceed the
 * size of a database response.
 */
export function listExpiredResults(db: Database, now: number, limit: number) {
  const keys = sql`(SELECT json_group_array(value ->> 'key') FROM json_each(${jobs.result}, '$.files'))`
  return db
    .select({ id: jobs.id, keys: keys.mapWith((text: string): string[] => JSON.parse(text)) })
    .from(jobs)
    .where(and(lte(jobs.expiresAt, now), isNotNull(jobs.result), isNotMoving(jobs.accountId)))
    .limit(limit)
}

/**
 * Extends the retention of results that other jobs read.
 * @param except operations whose results are never extended, such as "video/link_info".
 */
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

/** Lists open jobs submitted before the given time. */
export function listOpenJobs(db: Database, before: number, limit: number) {
  return db
    .select({ id: jobs.id, accountId: jobs.accountId })
    .from(jobs)
    .where(
      and(
        inArray(jobs.status, ['queued', 'processing']),
        lt(jobs.createdAt, before),
        isNotMoving(jobs.accountId),
      ),
    )
    .limit(limit)
}
