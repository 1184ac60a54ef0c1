import { type AccountCaller, type Caller, maySee, seesAll } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { jobsPageQuery, readJobs } from './list-queries.ts'
import { jobQuery, type StoredJob } from './queries.ts'
import { viewJob } from './view.ts'

/**
 * Finds a job that the caller may see. Knowing the id of an anonymous job is enough; administrators see every
 * job. Throws 404 for an unknown or cross-tenant id, and 401 if an account's job is read anonymously.
 */
export async function findJob(deps: Deps, caller: Caller, id: string): Promise<StoredJob> {
  const [job] = await jobQuery(deps.db, id)
  if (job !== undefined && maySee(caller, job)) return job
  throw new ApiError(caller.kind === 'anonymous' ? 'missing_api_key' : 'job_not_found')
}

export async function showJob(deps: Deps, caller: Caller, id: string) {
  return viewJob(deps, await findJob(deps, caller, id))
}

/** Lists the caller's jobs, newest first; administrators see all jobs unless `mine`. */
export async function showJobs(
  deps: Deps,
  caller: AccountCaller,
  { mine, ...page }: { limit: number; offset: number; mine: boolean },
) {
  const account_id = seesAll(caller) && !mine ? undefined : caller.account.id
  const jobs = await readJobs(deps.db, await jobsPageQuery(deps.db, { ...page, account_id }))
  return jobs.map((job) => viewJob(deps, job))
}
