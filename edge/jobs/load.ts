import { batchOfJobQuery } from '../batches/end-queries.ts'
import { creditsFrom, creditsQueries, takenByJobQuery } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { subscribersQuery } from '../webhooks/endpoint-queries.ts'
import { jobQuery } from './queries.ts'
import { reportQuery } from './report-queries.ts'

/**
 * Loads everything needed to end a job in one round trip, plus the accepted report with this id, if any. Throws 404 for
 * an unknown job. `subscribers` are the webhook endpoints of the account; `batch` has the states of the other files.
 */
export async function loadJobWithCredits(
  { db }: Deps,
  accountId: number,
  { id, reportId = '', grants_max }: { id: string; reportId?: string; grants_max?: number | undefined },
) {
  const [jobs, allocations, reports, subscribers, [batch], ...credits] = await db.batch([
    jobQuery(db, id),
    takenByJobQuery(db, accountId, id),
    reportQuery(db, reportId),
    subscribersQuery(db, accountId),
    batchOfJobQuery(db, id),
    ...creditsQueries(db, accountId, grants_max),
  ])
  const [job] = jobs
  if (job === undefined) throw new ApiError('job_not_found')
  const loaded = creditsFrom(accountId, credits, grants_max)
  return { job, allocations, known: reports[0], subscribers, batch, loaded }
}

/** Loads a job and the accepted report with this id, if any. Throws 404 for an unknown job. */
export async function loadJobAndReport({ db }: Deps, jobId: string, reportId: string) {
  const [jobs, reports] = await db.batch([jobQuery(db, jobId), reportQuery(db, reportId)])
  const [job] = jobs
  if (job === undefined) throw new ApiError('job_not_found')
  return { job, known: reports[0] }
}
