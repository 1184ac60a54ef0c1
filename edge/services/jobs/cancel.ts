import { moveJobStatements } from '../../db/jobs.ts'
import { acknowledgeStatement, effectStatement } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'
import type { AccountCaller } from '../../rules/caller.ts'
import { isOver } from '../../rules/jobs.ts'
import { refund } from '../../rules/ledger.ts'
import { ApiError } from '../api-error.ts'
import { changeCredits } from '../credits/settle.ts'
import { dispatchEffectId } from '../outbox/dispatch.ts'
import { carryOut } from '../outbox/resend.ts'
import { loadJobWithCredits } from './load.ts'
import { findJob, showJob } from './show.ts'

/**
 * Ends an open job, gives every credit back, and tells the fleet to stop.
 * Throws 404, and 409 for a job that is over. Specification: Job, cancel.
 */
export async function cancelJob(deps: Deps, caller: AccountCaller, id: string) {
  const { accountId } = await findJob(deps, caller, id)
  if (accountId === null) throw new ApiError(404, 'unknown job')
  const effect = { id: `cancel:${id}`, kind: 'cancel' as const, payload: { job_id: id } }
  await changeCredits(
    deps,
    accountId,
    () => loadJobWithCredits(deps, accountId, id),
    ({ job, taken }, settled, now) => {
      if (isOver(job.status)) throw new ApiError(409, `the job is finished already: ${job.status}`)
      const fields = { finalCost: 0, finishedAt: now }
      return {
        change: refund(settled, taken, now, { cause: `job:${id}:refund`, job_id: id }),
        statements: [
          ...moveJobStatements(deps.db, job, 'canceled', fields, now),
          acknowledgeStatement(
            deps.db,
            dispatchEffectId(job.dispatch as Parameters<typeof dispatchEffectId>[0]),
          ),
          effectStatement(deps.db, effect, now),
        ],
        answer: null,
      }
    },
  )
  deps.defer(carryOut(deps, effect))
  return showJob(deps, caller, id)
}
