import { changeCredits } from '../credits/change-credits.ts'
import { refund } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { carryOut } from '../outbox/resend.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { acknowledgeStatement, type Effect, effectStatement } from '../platform/outbox/queries.ts'
import { announceEnd, deferWebhook } from '../webhooks/announce.ts'
import { cancelEffect } from './cancel-effect.ts'
import { dispatchEffectId } from './dispatch.ts'
import { loadJobWithCredits } from './load.ts'
import { jobQuery, moveJobStatements, type StoredJob } from './queries.ts'
import { isOver } from './rules/states.ts'

/** How an open job is ended from this side. */
export type Ending =
  | { status: 'canceled' }
  | { status: 'failed'; error: string; errorCode: 'processing_failed' }

/** What an administrator's cancel has beside the others. */
export interface Beside {
  /** Asked before each try at the commit; what it throws ends the try. */
  recheck(): Promise<void>
  /** Written in the commit. */
  statements(now: number): Statement[]
}

const NOTHING: Beside = { recheck: async () => undefined, statements: () => [] }

/**
 * Ends an open job, gives every credit back, and tells the fleet to stop, in one commit and what follows it.
 * Throws 404, and 409 for a job that is over. Contract: Jobs, Job states.
 */
export async function endJob(
  deps: Deps,
  { id, accountId }: Pick<StoredJob, 'id' | 'accountId'>,
  ending: Ending,
  beside = NOTHING,
): Promise<void> {
  const webhook =
    accountId === null
      ? await endAnonymousJob(deps, id, ending, beside)
      : await changeCredits<JobFacts, Effect | null>(
          deps,
          accountId,
          async (grants_max) => {
            const loading = loadJobWithCredits(deps, accountId, { id, grants_max })
            return (await Promise.all([loading, beside.recheck()]))[0]
          },
          (facts, settled, now) => {
            const { statements, effect } = endStatements(deps, facts.job, ending, now)
            const change = refund(settled, facts.taken, now, { cause: `job:${id}:refund`, job_id: id })
            return { change, statements: [...statements, ...beside.statements(now)], answer: effect }
          },
        )
  deps.defer(carryOut(deps, cancelEffect(id)))
  deferWebhook(deps, webhook)
}

type JobFacts = Awaited<ReturnType<typeof loadJobWithCredits>>

/** Nothing was charged for it. */
function endAnonymousJob(deps: Deps, id: string, ending: Ending, beside: Beside): Promise<null> {
  return untilCommitted(async () => {
    const [[job]] = await Promise.all([jobQuery(deps.db, id), beside.recheck()])
    if (job === undefined) throw new ApiError('job_not_found')
    const now = deps.clock.now()
    const { statements } = endStatements(deps, job, ending, now)
    await commit(deps.db, [...statements, ...beside.statements(now)])
    return null
  })
}

function endStatements(deps: Deps, job: StoredJob, { status, ...told }: Ending, now: number) {
  if (isOver(job.status)) throw new ApiError('job_already_finished', { status: job.status })
  const { statements, effect } = announceEnd(deps, job, status, now)
  const dispatch = job.dispatch as Parameters<typeof dispatchEffectId>[0]
  return {
    statements: [
      ...moveJobStatements(deps.db, job, status, { ...told, finalCost: 0, finishedAt: now }, now),
      acknowledgeStatement(deps.db, dispatchEffectId(dispatch)),
      effectStatement(deps.db, cancelEffect(job.id), now),
      ...statements,
    ],
    effect,
  }
}
