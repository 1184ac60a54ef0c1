import { commit, untilCommitted } from '../../db/commit.ts'
import { moveJobStatements, type StoredJob } from '../../db/jobs.ts'
import { acknowledgeStatement, type Effect, effectStatement } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../rules/caller.ts'
import { isOver } from '../../rules/jobs.ts'
import { refund } from '../../rules/ledger.ts'
import { ApiError } from '../api-error.ts'
import { changeCredits } from '../credits/settle.ts'
import { dispatchEffectId } from '../outbox/dispatch.ts'
import { carryOut } from '../outbox/resend.ts'
import { announceEnd, deferWebhook } from '../webhooks/announce.ts'
import { loadJobWithCredits } from './load.ts'
import { findJob, showJob } from './show.ts'

/**
 * Ends an open job, gives every credit back, and tells the fleet to stop.
 * Throws 404, and 409 for a job that is over. Specification: Job, cancel.
 */
export async function cancelJob(deps: Deps, caller: Caller, id: string) {
  const job = await findJob(deps, caller, id)
  const { accountId } = job
  const webhook =
    accountId === null
      ? await cancelAnonymousJob(deps, caller, id)
      : await changeCredits<JobFacts, Effect | null>(
          deps,
          accountId,
          () => loadJobWithCredits(deps, accountId, id),
          (facts, settled, now) => {
            const { statements, effect } = endStatements(deps, facts.job, now)
            const change = refund(settled, facts.taken, now, { cause: `job:${id}:refund`, job_id: id })
            return { change, statements, answer: effect }
          },
        )
  deps.defer(carryOut(deps, cancelEffect(id)))
  deferWebhook(deps, webhook)
  return showJob(deps, caller, id)
}

type JobFacts = Awaited<ReturnType<typeof loadJobWithCredits>>

/** Nothing was charged for it. */
function cancelAnonymousJob(deps: Deps, caller: Caller, id: string): Promise<null> {
  return untilCommitted(async () => {
    const job = await findJob(deps, caller, id)
    await commit(deps.db, endStatements(deps, job, deps.clock.now()).statements)
    return null
  })
}

/** Throws 409 for a job that is over. */
function endStatements(deps: Deps, job: StoredJob, now: number) {
  if (isOver(job.status)) throw new ApiError(409, `the job is finished already: ${job.status}`)
  const { statements, effect } = announceEnd(deps, job, 'canceled', now)
  const dispatch = job.dispatch as Parameters<typeof dispatchEffectId>[0]
  return {
    statements: [
      ...moveJobStatements(deps.db, job, 'canceled', { finalCost: 0, finishedAt: now }, now),
      acknowledgeStatement(deps.db, dispatchEffectId(dispatch)),
      effectStatement(deps.db, cancelEffect(job.id), now),
      ...statements,
    ],
    effect,
  }
}

function cancelEffect(job_id: string) {
  return { id: `cancel:${job_id}`, kind: 'cancel' as const, payload: { job_id } }
}
