import { callbackQuery } from '../../db/callbacks.ts'
import { creditsFrom, creditsQueries, takenByJobQuery } from '../../db/credits.ts'
import { jobQuery } from '../../db/jobs.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../api-error.ts'

/** All that ending a job asks for, in one round trip. Throws 404. */
export async function loadJobWithCredits(deps: Deps, accountId: number, id: string) {
  const [jobs, taken, ...credits] = await deps.db.batch([
    jobQuery(deps.db, id),
    takenByJobQuery(deps.db, accountId, id),
    ...creditsQueries(deps.db, accountId),
  ])
  const [job] = jobs
  if (job === undefined) throw new ApiError(404, 'unknown job')
  return { job, taken, loaded: creditsFrom(accountId, credits) }
}

/** A job, and the report of this id if it was taken before. Throws 404. */
export async function loadJobAndReport({ db }: Deps, jobId: string, reportId: string) {
  const [jobs, reports] = await db.batch([jobQuery(db, jobId), callbackQuery(db, reportId)])
  const [job] = jobs
  if (job === undefined) throw new ApiError(404, 'unknown job')
  return { job, known: reports[0] }
}
