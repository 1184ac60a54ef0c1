import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { requireNoHeaders } from './add-headers.ts'
import { findJob } from './show.ts'
import { submitJob } from './submit.ts'

/**
 * Runs one of the caller's jobs again with the same operation and params, and charges it as a new job. Throws 404
 * for another account's job, and anything that submitJob throws. Contract: Jobs, Repeat.
 */
export async function repeatJob(deps: Deps, caller: AccountCaller, id: string, record: RecordAnswer) {
  const job = await findJob(deps, caller, id)
  if (job.accountId !== caller.account.id) throw new ApiError('job_not_found')
  requireNoHeaders(job)
  const submission = {
    service_slug: job.serviceSlug,
    operation_key: job.operationKey,
    params: job.params,
    webhook_url: job.webhookUrl,
    output: job.output,
    tag: job.tag,
    metadata: job.metadata,
    template: job.template,
    filename: job.dispatch.filename,
  }
  return submitJob(deps, caller, submission, { repeatOf: job.id, record })
}
