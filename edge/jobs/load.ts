import { type BatchOfJob, batchOfJobField } from '../batches/end-queries.ts'
import { creditsFrom, creditsQueries, takenByJobQuery } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { type Subscriber, subscribersField } from '../webhooks/endpoint-queries.ts'
import { withProgress } from './progress/with-progress.ts'
import { jobWithFactsQuery, type StoredJob } from './queries.ts'
import { knownReport } from './report-queries.ts'

interface JobFacts {
  job: StoredJob
  /** The accepted report with the id in question, if any. */
  known: { digest: string } | undefined
  /** The batch of the job with the states of its other files. */
  batch: BatchOfJob | undefined
  /** The webhook endpoints of the account. */
  subscribers: Subscriber[]
}

/**
 * Loads everything needed to end a job in one round trip, plus the accepted report with this id, if any. Throws 404 for
 * a job that is unknown or belongs to another account.
 */
export async function loadJobWithCredits(
  deps: Deps,
  accountId: number,
  { id, reportId = '', grants_max }: { id: string; reportId?: string; grants_max?: number | undefined },
) {
  const { db } = deps
  const [found, allocations, ...credits] = await db.batch([
    factsQuery(deps, id, reportId),
    takenByJobQuery(db, accountId, id),
    ...creditsQueries(db, accountId, grants_max),
  ])
  const facts = await readFacts(deps, found)
  if (facts.job.accountId !== accountId) throw new ApiError('job_not_found')
  return { ...facts, allocations, loaded: creditsFrom(accountId, credits, grants_max) }
}

/** Loads a job and the accepted report with this id, if any. Throws 404 for an unknown job. */
export async function loadJobAndReport(deps: Deps, jobId: string, reportId: string): Promise<JobFacts> {
  return readFacts(deps, await factsQuery(deps, jobId, reportId))
}

function factsQuery({ db }: Pick<Deps, 'db'>, jobId: string, reportId: string) {
  const batch = batchOfJobField(jobId)
  return jobWithFactsQuery(db, jobId, {
    known: knownReport(reportId),
    batch,
    subscribers: subscribersField(),
  })
}

async function readFacts(deps: Deps, [found]: Awaited<ReturnType<typeof factsQuery>>): Promise<JobFacts> {
  if (found === undefined) throw new ApiError('job_not_found')
  const { known, batch, subscribers, ...stored } = found
  const [job = stored] = await withProgress(deps, [stored])
  return {
    job,
    known: known === null ? undefined : { digest: known },
    batch: batch ?? undefined,
    subscribers,
  }
}
