import { listOpenJobsOf } from '../../db/jobs.ts'
import { disownStatements } from '../../db/sign-in.ts'
import type { Deps } from '../../deps.ts'
import type { Identity } from '../../rules/sign-in.ts'
import { ApiError } from '../api-error.ts'
import { endJob } from '../jobs/end.ts'
import { linkAccount } from './link.ts'

/**
 * Links an account that somebody opened with this person's address: every way into it ends, and so do the jobs
 * that are open, before the welcome grant comes, which they would be paid from. Throws 409 as linkAccount does.
 */
export async function takeOverAccount(deps: Deps, accountId: number, identity: Identity): Promise<void> {
  await linkAccount(deps, accountId, identity, disownStatements(deps.db, accountId))
  for (const job of await listOpenJobsOf(deps.db, accountId)) {
    await endJob(deps, job, { status: 'canceled' }).catch(letOverBe)
  }
}

/** It came to its end by itself meanwhile. */
function letOverBe(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 409)) throw error
}
