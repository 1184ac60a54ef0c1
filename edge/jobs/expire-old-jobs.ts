import { FAILURES, type FailureName } from '../../shared/failures/failures.ts'
import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { untilNothingDue } from '../platform/until-nothing-due.ts'
import { endJob } from './end.ts'
import { listOpenJobs } from './queries.ts'

/** After this long, the input may have been deleted, and no client is still waiting. */
const OPEN_MS_MAX = 24 * 60 * 60 * 1000
const JOBS_MAX = 50

/** Fails jobs that have been open for more than a day, so their credits are not held forever. */
export async function giveUpOldJobs(deps: Deps): Promise<void> {
  await untilNothingDue(async () => {
    const old = await listOpenJobs(deps.db, deps.clock.now() - OPEN_MS_MAX, JOBS_MAX)
    await settleAll(old.map((job) => giveUp(deps, job)))
    return old.length === JOBS_MAX
  })
}

/** Fails an open job that has not ended in time, and refunds its charge. Throws an ApiError if it has ended. */
export async function giveUp(deps: Deps, job: Parameters<typeof endJob>[1]): Promise<void> {
  const { text } = FAILURES.not_finished_in_time
  const failure = { name: 'not_finished_in_time' satisfies FailureName, facts: {} }
  await endJob(deps, job, { status: 'failed', error: text.en, errorCode: 'processing_failed', failure })
}
