import { andThen, type Change } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { StoredJob } from '../jobs/queries.ts'
import type { FinishReport } from '../jobs/report.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { nameFault, stopsBatch } from './rules/states.ts'
import { loadOpenFiles, type OpenFiles, refundFiles, stopBatch } from './stop.ts'
import { filenameOf } from './view.ts'

/** A batch stopped by the failure of one file, with its other open files. */
export interface StoppedBatch {
  batch_id: string
  error: string
  others: OpenFiles
}

/**
 * Returns the batch that this report stops because the file exceeded the length limit; null if it stops none.
 * Contract: Batches, Stop by a file.
 */
export async function findStoppedBatch(
  deps: Deps,
  job: StoredJob,
  { body: { outcome } }: FinishReport,
): Promise<StoppedBatch | null> {
  if (job.batchId === null || outcome.status !== 'failed' || !stopsBatch(outcome.error_code)) return null
  const { jobs, ...open } = await loadOpenFiles(deps, job.batchId)
  return {
    batch_id: job.batchId,
    error: nameFault(filenameOf(job), outcome.error),
    others: { jobs: jobs.filter(({ id }) => id !== job.id), ...open },
  }
}

export function stopByFile(
  deps: Deps,
  stopped: StoppedBatch | null,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  if (stopped === null) return { statements: [], effects: [] }
  const { batch_id, others, error } = stopped
  return stopBatch(deps, batch_id, others, { stopped: 'failed', error }, now)
}

/** Adds refunds for the other open files to the file's own credit change. */
export function andRefundOthers(change: Change, stopped: StoppedBatch | null, now: number): Change {
  return stopped === null ? change : andThen(change, (credits) => refundFiles(credits, stopped.others, now))
}
