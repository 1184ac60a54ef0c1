import { giveUp } from '../../edge/jobs/expire-old-jobs.ts'
import { findStoredJob } from '../../edge/jobs/find-stored-job.ts'
import { redispatchJobs, redispatchSilent } from '../../edge/jobs/redispatch.ts'
import { findPlace } from '../../edge/platform/database/find-place.ts'
import type { OpsDeps } from './open-deps.ts'

/** Dispatches an open job again. A worker that still runs it continues, and the fleet does not run it twice. */
export async function redispatchOne(asked: OpsDeps, id: string): Promise<boolean> {
  const { deps, found: job } = await requireJob(asked, id)
  if (job.status !== 'queued' && job.status !== 'processing') return false
  return (await redispatchJobs(deps, [id])) === 1
}

/** Fails an open job and refunds its charge. @throws ApiError if the job has ended */
export async function failJob(asked: OpsDeps, id: string): Promise<void> {
  const { deps, found } = await requireJob(asked, id)
  await giveUp(deps, found)
}

/** Dispatches all open jobs again, after the fleet has lost its queues. @returns their number */
export async function rebuildQueues(deps: OpsDeps): Promise<number> {
  const before = deps.clock.now()
  const processing = await redispatchSilent(deps, 'processing', before, Number.POSITIVE_INFINITY)
  return processing + (await redispatchSilent(deps, 'queued', before, Number.POSITIVE_INFINITY))
}

async function requireJob(deps: OpsDeps, id: string) {
  const place = await findPlace(deps, id, ({ db }) => findStoredJob({ db, archive: null }, id))
  if (place !== null) return place
  const archived = await findStoredJob(deps, id)
  if (archived === undefined) throw new Error(`There is no job ${id}.`)
  return { deps, found: archived }
}
