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
import { cancelJobsStatements, type StoredJob } from '../jobs/queries.ts'
import type { Statement } from '../platform/database/client.ts'
import { acknowledgeStatement, type Effect } from '../platform/outbox/queries.ts'
import { openBatchJobsQuery, openJobAllocationsQuery, stopBatchStatement } from './queries.ts'
import type { BatchStop } from './rules/states.ts'

/** A batch's open files and the grant allocations for their charges. */
export interface OpenFiles {
  jobs: StoredJob[]
  allocations: (GrantAllocation & { job_id: string | null })[]
}

/** Loads the open files. If a file ends concurrently, the commit that cancels it loses the race. */
export async function loadOpenFiles({ db }: Deps, batchId: string): Promise<OpenFiles> {
  const [jobs, allocations] = await db.batch([
    openBatchJobsQuery(db, batchId),
    openJobAllocationsQuery(db, batchId),
  ])
  return { jobs, allocations }
}

/** Refunds the charges of the open files in full. */
export function refundFiles(credits: Credits, { jobs, allocations }: OpenFiles, now: number): Change {
  const byJob = Map.groupBy(allocations, ({ job_id }) => job_id)
  return jobs.reduce<Change>(
    (change, { id }) =>
      andThen(change, (current) =>
        refund(current, byJob.get(id) ?? [], now, { cause: `job:${id}:refund`, job_id: id }),
      ),
    unchanged(credits),
  )
}

/** Cancels the open files and marks the batch as stopped; the fleet is notified after the commit. */
export function stopBatch(
  { db }: Deps,
  batchId: string,
  { jobs }: OpenFiles,
  stop: { stopped: BatchStop; error: string | null },
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const dispatches = jobs.map(({ dispatch }) => dispatchEffectId(dispatch))
  return {
    statements: [
      stopBatchStatement(db, batchId, stop),
      ...cancelJobsStatements(db, jobs, now),
      acknowledgeStatement(db, ...dispatches),
    ],
    effects: jobs.map(({ id }) => cancelEffect(id)),
  }
}
