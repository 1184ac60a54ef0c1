import type { Deps } from '../deps.ts'
import type { Submitter } from '../jobs/accept.ts'
import type { ImportHeaders } from '../jobs/rules/import-headers.ts'
import type { GivenLabels } from '../jobs/rules/labels.ts'
import type { JobOutput } from '../jobs/rules/output.ts'
import { submitJob } from '../jobs/submit.ts'
import { invalidField } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { readStudioSelection, type StudioSelection } from './read-operation.ts'

interface StudioRun extends StudioSelection, GivenLabels {
  file_url?: string | undefined
  url?: string | undefined
  webhook_url?: string | null | undefined
  headers?: ImportHeaders | undefined
  output?: JobOutput | null | undefined
}

/**
 * Runs a job from the public studio. Anonymous callers pay nothing and have separate limits. Throws the same errors
 * as job submission, and 422 if an anonymous caller sets a webhook. Contract: Studio, Studio run.
 */
export async function runInStudio(
  deps: Deps,
  submitter: Submitter,
  { file_url, url, webhook_url, output, tag, metadata, headers, ...selection }: StudioRun,
  record: RecordAnswer,
) {
  if (webhook_url && submitter.kind === 'anonymous') {
    throw invalidField('webhook_url', 'webhook_needs_account')
  }
  const operation = await readStudioSelection(deps, selection)
  const input = { ...(file_url === undefined ? {} : { file_url }), ...(url === undefined ? {} : { url }) }
  const params = { ...operation.params, ...input }
  const recordRun: RecordAnswer = (job) => record({ job })
  const submission = { ...operation, params, webhook_url, output, tag, metadata, headers }
  return { job: await submitJob(deps, submitter, submission, { record: recordRun }) }
}
