import { Dispatch } from '../../../shared/protocol/dispatch.ts'
import { commit } from '../../db/commit.ts'
import { listSilentJobs, type StoredJob, takeRedispatch } from '../../db/jobs.ts'
import { effectStatement } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'
import { dispatchEffect, sendDispatches } from '../outbox/dispatch.ts'

/** A running job reports every second; a queued one may wait for its turn. */
const SILENCE_MS_MAX = { processing: 2 * 60 * 1000, queued: 10 * 60 * 1000 }
const JOBS_MAX = 50

/**
 * Hands jobs over anew that the fleet has not spoken of for long: its queue may be lost. Where the
 * fleet still has the job, it takes the repetition for what it is.
 */
export async function redispatchSilentJobs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const [processing, queued] = await deps.db.batch([
    listSilentJobs(deps.db, 'processing', now - SILENCE_MS_MAX.processing, JOBS_MAX),
    listSilentJobs(deps.db, 'queued', now - SILENCE_MS_MAX.queued, JOBS_MAX),
  ])
  const handedOver = await Promise.all([...processing, ...queued].map((job) => handOver(deps, job, now)))
  await sendDispatches(
    deps,
    handedOver.filter((dispatch) => dispatch !== null),
  )
}

/** Takes the next number, then announces it. After a crash in between the job is silent, and found again. */
async function handOver({ db }: Deps, job: StoredJob, now: number): Promise<Dispatch | null> {
  const last = Dispatch.parse(job.dispatch)
  const next = { ...last, dispatch: last.dispatch + 1 }
  if (!(await takeRedispatch(db, job, next, now))) return null
  await commit(db, [effectStatement(db, dispatchEffect(next), now)])
  return next
}
