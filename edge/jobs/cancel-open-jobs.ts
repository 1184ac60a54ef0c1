import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { endJob } from './end.ts'
import { listOpenJobsOf } from './queries.ts'

/** Cancels all open jobs of an account and refunds them. */
export async function cancelOpenJobs(deps: Deps, accountId: number): Promise<void> {
  for (const job of await listOpenJobsOf(deps.db, accountId)) {
    await endJob(deps, job, { status: 'canceled' }).catch(ignoreFinished)
  }
}

/** Ignores the error if the job finished concurrently. */
function ignoreFinished(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'job_already_finished')) throw error
}
