import { jobQuery, listJobs, type StoredJob } from '../../db/jobs.ts'
import type { Deps } from '../../deps.ts'
import { type AccountCaller, type Caller, maySee, seesAll } from '../../rules/caller.ts'
import { ApiError } from '../api-error.ts'
import { viewJob } from './view.ts'

/**
 * The id of an anonymous caller's job is all that its reader needs. Administrators see every job.
 * Throws 404 for an unknown id and for somebody else's job alike; 401 where nobody said who asks.
 */
export async function findJob(deps: Deps, caller: Caller, id: string): Promise<StoredJob> {
  const [job] = await jobQuery(deps.db, id)
  if (job !== undefined && maySee(caller, job)) return job
  throw caller.kind === 'anonymous' ? new ApiError(401, 'missing API key') : new ApiError(404, 'unknown job')
}

export async function showJob(deps: Deps, caller: Caller, id: string) {
  return viewJob(deps, await findJob(deps, caller, id))
}

/** The caller's jobs, newest first; an administrator's answer holds everyone's unless `mine`. */
export async function showJobs(
  deps: Deps,
  caller: AccountCaller,
  { limit, offset, mine }: { limit: number; offset: number; mine: boolean },
) {
  const owner = seesAll(caller) && !mine ? null : caller.account.id
  return (await listJobs(deps.db, owner, limit, offset)).map((job) => viewJob(deps, job))
}
