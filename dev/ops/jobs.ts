import { endJob } from '../../edge/jobs/end.ts'
import { jobQuery } from '../../edge/jobs/queries.ts'
import { redispatchJobs } from '../../edge/jobs/redispatch.ts'
import { listSilentJobs } from '../../edge/jobs/redispatch-queries.ts'
import { FAILURES } from '../../shared/failures/failures.ts'
import type { OpsDeps } from './open-deps.ts'

/** The dispatches of this many jobs fit into one database response. */
const PAGE = 50

/** Dispatches an open job again. A worker that still runs it continues, and the fleet does not run it twice. */
export async function redispatchOne(deps: OpsDeps, id: string): Promise<boolean> {
  const job = await requireJob(deps, id)
  if (job.status !== 'queued' && job.status !== 'processing') return false
  return (await redispatchJobs(deps, [id])) === 1
}

/** Fails an open job and refunds its charge. @throws ApiError if the job has ended */
export async function failJob(deps: OpsDeps, id: string): Promise<void> {
  const failure = { name: 'not_finished_in_time', facts: {} } as const
  const error = FAILURES.not_finished_in_time.text.en
  const job = await requireJob(deps, id)
  await endJob(deps, job, { status: 'failed', error, errorCode: 'processing_failed', failure })
}

/** Dispatches all open jobs again, after the fleet has lost its queues. @returns their number */
export async function rebuildQueues(deps: OpsDeps): Promise<number> {
  const started = deps.clock.now()
  let count = 0
  for (const status of ['processing', 'queued'] as const) {
    for (;;) {
      const page = { before: started, after: null, limit: PAGE }
      const jobs = await listSilentJobs(deps.db, status, page)
      if (jobs.length === 0) break
      count += await redispatchJobs(
        deps,
        jobs.map(({ id }) => id),
      )
    }
  }
  return count
}

async function requireJob(deps: OpsDeps, id: string) {
  const [job] = await jobQuery(deps.db, id)
  if (job === undefined) throw new Error(`There is no job ${id}.`)
  return job
}
