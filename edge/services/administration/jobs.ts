import { listAllJobs } from '../../db/administration.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import type { JobState } from '../../rules/jobs.ts'
import { cancelJob } from '../jobs/cancel.ts'
import { viewJob } from '../jobs/view.ts'
import { administer, requireAdministrator } from './audit.ts'

/** The jobs of all accounts, the newest first. */
export async function listJobsOfAll(
  deps: Deps,
  page: { status?: JobState | undefined; account_id?: number | undefined; limit: number; offset: number },
) {
  const rows = await listAllJobs(deps.db, page)
  return rows.map(({ job, email }) => ({ ...viewJob(deps, job), account_id: job.accountId, email }))
}

/** Cancels anybody's job; every credit goes back. Throws 404, and 409 for a job that is over. */
export async function cancelAnyJob(deps: Deps, caller: SessionCaller, id: string) {
  await requireAdministrator(deps, caller)
  const job = await cancelJob(deps, caller, id)
  await administer(deps, caller, async () => ({
    statements: [],
    entries: [{ action: 'job.cancel', target: `job:${id}`, before: null, after: { status: job.status } }],
    answer: undefined,
  }))
  return job
}
