import type { FailureReason } from '../../shared/failures/failures.ts'
import { announceJobEnd } from '../batches/announce-end.ts'
import type { BatchOfJob } from '../batches/end-queries.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { refund } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { acknowledgeStatement } from '../platform/outbox/queries.ts'
import { type Decision, unitOfWork } from '../platform/unit-of-work.ts'
import type { Subscriber } from '../webhooks/endpoint-queries.ts'
import { cancelEffect } from './cancel-effect.ts'
import { dispatchEffectId } from './dispatch.ts'
import { loadJobWithCredits } from './load.ts'
import { withProgress } from './progress/with-progress.ts'
import { jobQuery, type StoredJob, transitionJobStatements } from './queries.ts'
import { isOver } from './rules/states.ts'

/** How the edge ends an open job. */
export type Ending =
  | { status: 'canceled' }
  | { status: 'failed'; error: string; errorCode: 'processing_failed'; failure: FailureReason }

/** Extra work in the commit when an administrator cancels a job. */
export interface EndOptions {
  /** Runs before each commit attempt; if it throws, the job is not ended. */
  recheck(): Promise<void>
  /** Returns extra statements for the same commit. */
  statements(now: number): Statement[]
}

const NOTHING: EndOptions = { recheck: async () => undefined, statements: () => [] }

/**
 * Ends an open job in one commit that also refunds all its credits and queues the effect that makes the fleet stop
 * it. Throws 404 for an unknown job and 409 for a finished one. Contract: Jobs, Job states.
 */
export async function endJob(
  deps: Deps,
  { id, accountId }: Pick<StoredJob, 'id' | 'accountId'>,
  ending: Ending,
  options = NOTHING,
): Promise<void> {
  if (accountId === null) return endAnonymousJob(deps, id, ending, options)
  return changeCredits(deps, accountId, {
    load: async (grants_max) => {
      const loading = loadJobWithCredits(deps, accountId, { id, grants_max })
      return (await Promise.all([loading, options.recheck()]))[0]
    },
    decide: ({ job, allocations, subscribers, batch }, settled, now) => ({
      ...decideEnd(deps, job, ending, { ...options, subscribers, batch }, now),
      change: refund(settled, allocations, now, { cause: `job:${id}:refund`, job_id: id }),
    }),
  })
}

/** Throws 409 for a job that has ended. */
export function requireOpen({ status }: Pick<StoredJob, 'status'>): void {
  if (isOver(status)) throw new ApiError('job_already_finished', { status })
}

/** Ends an anonymous job. There is nothing to refund. */
function endAnonymousJob(deps: Deps, id: string, ending: Ending, options: EndOptions): Promise<void> {
  return unitOfWork(deps, {
    load: async () => {
      const [[stored]] = await Promise.all([jobQuery(deps.db, id), options.recheck()])
      const [job] = await withProgress(deps, stored === undefined ? [] : [stored])
      if (job === undefined) throw new ApiError('job_not_found')
      return job
    },
    decide: (job, now) =>
      decideEnd(deps, job, ending, { ...options, subscribers: [], batch: undefined }, now),
  })
}

function decideEnd(
  deps: Deps,
  job: StoredJob,
  { status, ...fields }: Ending,
  {
    subscribers,
    batch,
    ...options
  }: EndOptions & { subscribers: readonly Subscriber[]; batch: BatchOfJob | undefined },
  now: number,
): Decision<void> {
  requireOpen(job)
  const { statements, effects } = announceJobEnd(deps, job, status, { subscribers, batch }, now)
  return {
    statements: [
      ...transitionJobStatements(deps.db, job, status, { ...fields, finalCost: 0, finishedAt: now }, now),
      acknowledgeStatement(deps.db, dispatchEffectId(job.dispatch)),
      ...statements,
      ...options.statements(now),
    ],
    effects: [cancelEffect(job.id), ...effects],
    answer: undefined,
  }
}
