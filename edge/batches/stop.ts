import {
  andThen,
  type Change,
  type Credits,
  type GrantAllocation,
  refund,
  unchanged,
} from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { cancelEffect } from '../jobs/cancel-effect.ts'
import { dispatchEffectId } from '../jobs/dispatch.ts'
import { withProgress } from '../jobs/progress/with-progress.ts'
import { cancelJobsStatements, type StoredJob } from '../jobs/queries.ts'
import type { Statement } from '../platform/database/client.ts'
import { acknowledgeStatement, type Effect } from '../platform/outbox/queries.ts'
import { announce, jobEnd } from '../webhooks/announce.ts'
import type { Subscriber } from '../webhooks/endpoint-queries.ts'
import { batchEnd } from './announce-end.ts'
import {
  batchQuery,
  batchSubscribersQuery,
  openBatchJobsQuery,
  openJobAllocationsQuery,
  type StoredBatch,
  stopBatchStatement,
} from './queries.ts'
import type { BatchStop } from './rules/states.ts'

/** A batch, its open files, the grant allocations for their charges, and the account's webhook endpoints. */
export interface OpenFiles {
  jobs: StoredJob[]
  allocations: (GrantAllocation & { job_id: string | null })[]
  subscribers: Subscriber[]
  batch: StoredBatch | undefined
}

/** Loads the open files. If a file ends concurrently, the commit that cancels it loses the race. */
export async function loadOpenFiles(deps: Deps, batchId: string): Promise<OpenFiles> {
  const { db } = deps
  const [open, allocations, subscribers, [batch]] = await db.batch([
    openBatchJobsQuery(db, batchId),
    openJobAllocationsQuery(db, batchId),
    batchSubscribersQuery(db, batchId),
    batchQuery(db, batchId),
  ])
  return { jobs: await withProgress(deps, open), allocations, subscribers, batch }
}

/** Refunds the charges of the open files in full. */
export function refundFiles(
  credits: Credits,
  { jobs, allocations }: Pick<OpenFiles, 'jobs' | 'allocations'>,
  now: number,
): Change {
  const byJob = Map.groupBy(allocations, ({ job_id }) => job_id)
  return jobs.reduce<Change>(
    (change, { id }) =>
      andThen(change, (current) =>
        refund(current, byJob.get(id) ?? [], now, { cause: `job:${id}:refund`, job_id: id }),
      ),
    unchanged(credits),
  )
}

/**
 * Cancels the open files and marks the batch as stopped, which ends it. The fleet and webhook receivers are notified
 * after the commit.
 */
export function stopBatch(
  { db }: Deps,
  batchId: string,
  { jobs, subscribers, batch }: OpenFiles,
  stop: { stopped: BatchStop; error: string | null },
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const dispatches = jobs.map(({ dispatch }) => dispatchEffectId(dispatch))
  const ends = [
    ...jobs.map((job) => jobEnd(job, 'canceled')),
    ...(batch === undefined ? [] : [batchEnd(batch, stop.stopped)]),
  ]
  const announcement = announce({ db }, ends, subscribers, now)
  return {
    statements: [
      stopBatchStatement(db, batchId, stop),
      ...cancelJobsStatements(db, jobs, now),
      acknowledgeStatement(db, ...dispatches),
      ...announcement.statements,
    ],
    effects: [...jobs.map(({ id }) => cancelEffect(id)), ...announcement.effects],
  }
}
