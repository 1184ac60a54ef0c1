import { type AccountCaller, type Caller, maySee, seesAll } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { jobsPageQuery, readJobs } from './list-queries.ts'
import { jobQuery, type StoredJob } from './queries.ts'
import { viewJob } from './view.ts'

/**
 * The id of an anonymous caller's job is all that its reader needs. Administrators see every job.
 * Throws 404 for an unknown id and for somebody else's job alike; 401 where nobody said who asks.
 */
export async function findJob(deps: Deps, caller: Caller, id: string): Promise<StoredJob> {
  const [job] = await jobQuery(deps.db, id)
  if (job !== undefined && maySee(caller, job)) return job
  throw new ApiError(caller.kind === 'anonymous' ? 'missing_api_key' : 'job_not_found')
}

export async function showJob(deps: Deps, caller: Caller, id: string) {
  return viewJob(deps, await findJob(deps, caller, id))
}

/** The caller's jobs, newest first; an administrator's answer holds everyone's unless `mine`. */
export async function showJobs(
  deps: Deps,
  caller: AccountCaller,
  { mine, ...page }: { limit: number; offset: number; mine: boolean },
) {
  const account_id = seesAll(caller) && !mine ? undefined : caller.account.id
  const jobs = await readJobs(deps.db, await jobsPageQuery(deps.db, { ...page, account_id }))
  return jobs.map((job) => viewJob(deps, job))
}
