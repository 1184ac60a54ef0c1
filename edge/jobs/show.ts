import { type AccountCaller, type Caller, maySee, seesAll } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { readPageEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Span } from '../platform/rules/paging.ts'
import type { JobFilter } from './filter-queries.ts'
import { findStoredJob } from './find-stored-job.ts'
import { placeOfJob, readJobsPage } from './list-queries.ts'
import { withProgress } from './progress/with-progress.ts'
import type { StoredJob } from './queries.ts'
import { viewJob } from './view.ts'

interface JobsRequest extends Span, Omit<JobFilter, 'account_id'> {
  mine: boolean
}

/**
 * Finds a job that the caller may see. Anyone who knows the id can see an anonymous job, and administrators see
 * every job, also what is left of a deleted one. For an unknown or cross-tenant id, throws 401 for anonymous callers and 404 for all others.
 */
export async function findJob(deps: Deps, caller: Caller, id: string): Promise<StoredJob> {
  const stored = await findStoredJob(deps, id)
  const [job] = await withProgress(deps, stored === undefined ? [] : [stored])
  if (job !== undefined && maySee(caller, job) && (job.deletedAt === null || seesAll(caller))) return job
  throw new ApiError(caller.kind === 'anonymous' ? 'missing_api_key' : 'job_not_found')
}

export async function showJob(deps: Deps, caller: Caller, id: string) {
  return viewJob(deps, await findJob(deps, caller, id))
}

/**
 * Lists the caller's jobs that match a filter, newest first. Administrators see those of all accounts unless `mine`
 * is set. Contract: Jobs, Filters.
 */
export async function showJobs(
  deps: Deps,
  caller: AccountCaller,
  { mine, cursor, limit, offset, ...filter }: JobsRequest,
) {
  const account_id = seesAll(caller) && !mine ? undefined : caller.account.id
  const span = { cursor, limit, offset }
  const read = (own: Deps, part: Span) => readJobsPage(own, { ...filter, account_id }, part)
  const { rows, next } =
    account_id === undefined ? await readPageEverywhere(deps, span, read, placeOfJob) : await read(deps, span)
  return { rows: (await withProgress(deps, rows)).map((job) => viewJob(deps, job)), next }
}
