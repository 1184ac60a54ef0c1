import { findOperation } from '../../shared/operations/index.ts'
import type { ServiceSlug } from '../../shared/planning/operation.ts'
import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import type { ReceivedUpload } from '../uploads/receive.ts'
import type { Submission } from './make-plans.ts'
import { purgeUpload } from './purge.ts'
import { refuseFile } from './rules/pipeline.ts'
import { submitJob } from './submit.ts'

/** Refuses a file for a link operation before it is stored, if the form names the operation before the file. */
export function judgeFormFile(_file: object, { service_slug, operation_key }: Record<string, string>) {
  const operation = findOperation(service_slug as ServiceSlug, operation_key ?? '')
  return operation === undefined ? null : refuseFile(operation)
}

/**
 * Submits a job for a new upload, and deletes the file if the submission is refused. Throws like readSubmission and
 * submitJob. Contract: Jobs, Upload and submit.
 */
export async function submitUpload(
  deps: Deps,
  caller: AccountCaller,
  { key, url }: ReceivedUpload,
  readSubmission: () => Submission,
  record: RecordAnswer,
) {
  try {
    const submission = readSubmission()
    const params = { ...submission.params, file_url: url }
    return await submitJob(deps, caller, { ...submission, params }, { record })
  } catch (error) {
    if (error instanceof ApiError) deps.defer(purgeUpload(deps, key))
    throw error
  }
}
