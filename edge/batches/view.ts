import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import type { ListedJob } from '../jobs/list-queries.ts'
import type { StoredJob } from '../jobs/queries.ts'
import { jobErrorText } from '../jobs/rules/error-text.ts'
import { viewJob } from '../jobs/view.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { StoredBatch } from './queries.ts'
import { batchStateOf, countFiles, nameFault, nameFaults } from './rules/states.ts'

/** Returns the batch record, with its state and totals derived from its jobs. Contract: Batches, Batch record. */
export function viewBatch(
  deps: Pick<Deps, 'env' | 'locale'>,
  batch: StoredBatch,
  jobs: readonly ListedJob[],
) {
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
    error: describeError(
      batch,
      jobs.filter((job) => job.status === 'failed'),
      isOver,
      deps.locale,
    ),
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

/** Names the file that stopped a batch, or the first that failed in a batch that has ended. */
function describeError(
  { error }: StoredBatch,
  failed: readonly ListedJob[],
  isOver: boolean,
  locale: Locale,
): string | null {
  const stopper = failed.find((job) => nameFault(job.filename, job.error ?? '') === error)
  if (error !== null && stopper === undefined) return error
  const named = (stopper === undefined ? failed : [stopper]).map((job) => ({
    filename: job.filename,
    error: jobErrorText(job, locale),
  }))
  return error !== null || isOver ? nameFaults(named, locale) : null
}

/** Returns a job's file name as shown to users. */
export function filenameOf({ dispatch }: Pick<StoredJob, 'dispatch'>): string {
  return dispatch.filename
}
