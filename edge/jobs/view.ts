import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import { addressOf } from '../uploads/rules/addresses.ts'
import type { ShownJob } from './list-queries.ts'
import { jobErrorText } from './rules/error-text.ts'

/** Returns the storage keys of a job's result. There are none if it has no result or the result was deleted. */
export function resultKeysOf({ result }: Pick<ShownJob, 'result'>): string[] {
  return (result?.files ?? []).map(({ key }) => key)
}

/** Returns the job record, with its error in the language of the reader. Contract: Jobs, Job record. */
export function viewJob(deps: Pick<Deps, 'env' | 'locale'>, job: ShownJob) {
  return {
    id: job.id,
    service_slug: job.serviceSlug,
    operation_key: job.operationKey,
    status: job.status,
    progress: job.progress,
    source: job.source,
    params: job.params,
    estimated_cost: job.estimatedCost,
    final_cost: job.finalCost,
    processing_seconds: job.processingMs === null ? null : job.processingMs / 1000,
    error: jobErrorText(job, deps.locale),
    error_code: job.errorCode,
    result: viewResult(deps, job),
    result_purged_at: isoTime(job.purgedAt),
    batch_id: job.batchId,
    repeat_of: job.repeatOf,
    webhook_url: job.webhookUrl,
    output: job.output,
    tag: job.tag,
    metadata: job.metadata,
    template: job.template,
    created_at: isoTime(job.createdAt),
    started_at: isoTime(job.startedAt),
    finished_at: isoTime(job.finishedAt),
  }
}

function viewResult({ env }: Pick<Deps, 'env'>, { result, expiresAt }: ShownJob) {
  if (result === null) return null
  const { files, body, body_omitted } = result
  const [first] = files
  if (first === undefined) return null
  const shown = files.map(({ key, filename, content_type, size_bytes, exported_to }) => ({
    url: addressOf(env.PUBLIC_URL, key),
    filename,
    content_type,
    size_bytes,
    ...(exported_to === undefined ? {} : { exported_to }),
  }))
  const [main = { url: '', filename: '', content_type: '', size_bytes: 0 }] = shown
  return {
    ...main,
    sha256: first.sha256,
    expires_at: isoTime(expiresAt ?? 0),
    body,
    ...(body_omitted ? { body_omitted } : {}),
    ...(shown.length > 1 ? { files: shown } : {}),
  }
}
