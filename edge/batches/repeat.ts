import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { requireNoHeaders } from '../jobs/add-headers.ts'
import { labelsOf } from '../jobs/rules/labels.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { findBatch } from './show.ts'
import { acceptBatch } from './submit.ts'

/**
 * Runs the caller's own batch again with the same files and operation, and charges each file as a new job. Throws
 * 404 if the batch belongs to another account, 400 if a file has been deleted, and the same errors as submitBatch.
 */
export async function repeatBatch(deps: Deps, caller: AccountCaller, id: string, record: RecordAnswer) {
  const { batch, jobs } = await findBatch(deps, caller, id)
  if (batch.accountId !== caller.account.id) throw new ApiError('batch_not_found')
  jobs.forEach(requireNoHeaders)
  const files = jobs.map((job) => {
    const { file_url } = job.params as { file_url: string }
    return { url: file_url, filename: job.filename, place: job.filename }
  })
  const operation = {
    service_slug: batch.serviceSlug,
    operation_key: batch.operationKey,
    params: batch.params,
  }
  return acceptBatch(deps, caller, operation, files, {
    repeatOf: id,
    webhookUrl: batch.webhookUrl,
    output: jobs[0]?.output ?? null,
    labels: labelsOf(batch),
    record,
  })
}
