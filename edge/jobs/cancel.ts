import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { endJob, requireOpen } from './end.ts'
import { findJob, showJob } from './show.ts'

/** Cancels an open job. Throws 404 for an unknown job and 409 for a finished one. Contract: Jobs, Cancel. */
export async function cancelJob(deps: Deps, caller: Caller, id: string) {
  const job = await findJob(deps, caller, id)
  requireOpen(job)
  await endJob(deps, job, { status: 'canceled' })
  return showJob(deps, caller, id)
}
