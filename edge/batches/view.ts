import type { Deps } from '../deps.ts'
import type { ListedJob } from '../jobs/list-queries.ts'
import type { StoredJob } from '../jobs/queries.ts'
import { viewJob } from '../jobs/view.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { StoredBatch } from './queries.ts'
import { batchStateOf, countFiles, nameFaults } from './rules/states.ts'

/** Returns the batch record, with its state and totals derived from its jobs. Contract: Batches, Batch record. */
export function viewBatch(deps: Pick<Deps, 'env'>, batch: StoredBatch, jobs: readonly ListedJob[]) {
  const counts = countFiles(jobs.map(({ status }) => status))
  const status = batchStateOf(counts, batch.stopped)
  const isOver = status !== 'queued' && status !== 'processing'
  return {
    id: batch.id,
    service_slug: batch.serviceSlug,
    operation_key: batch.operationKey,
    params: batch.params,
    status,
    total: batch.total,
    done: counts.done,
    failed: counts.failed,
    canceled: counts.canceled,
    estimated_cost: jobs.reduce((sum, { estimatedCost }) => sum + estimatedCost, 0),
    final_cost: isOver ? jobs.reduce((sum, { finalCost }) => sum + (finalCost ?? 0), 0) : null,
    error: batch.error ?? (isOver ? nameFaults(jobs.filter((job) => job.status === 'failed')) : null),
    jobs: jobs.map((job) => viewJob(deps, job)),
    repeat_of: batch.repeatOf,
    webhook_url: batch.webhookUrl,
    tag: batch.tag,
    metadata: batch.metadata,
    template: batch.template,
    created_at: isoTime(batch.createdAt),
    finished_at: isOver ? isoTime(Math.max(...jobs.map(({ finishedAt }) => finishedAt ?? 0))) : null,
  }
}

/** Returns a job's file name as shown to users. */
export function filenameOf({ dispatch }: Pick<StoredJob, 'dispatch'>): string {
  return dispatch.filename
}
