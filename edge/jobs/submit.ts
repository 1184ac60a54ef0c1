import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { type RecordAnswer, recordNothing } from '../platform/idempotency/record-answer.ts'
import { plainName } from '../uploads/rules/addresses.ts'
import { requireSafeWebhook } from '../webhooks/address.ts'
import { acceptJobs, type Submitter } from './accept.ts'
import { addHeaders } from './add-headers.ts'
import type { RequestedJob } from './make.ts'
import { nameFile, readJobPlan, type Submission } from './make-plans.ts'
import type { StoredJob } from './queries.ts'
import { requireOutput } from './require-output.ts'
import { labelsOf } from './rules/labels.ts'
import { viewJob } from './view.ts'

interface SubmitOptions {
  repeatOf?: string | null
  record?: RecordAnswer
  recheck?(): Promise<void>
  /** Returns extra statements for the job's commit. */
  extraStatements?(job: StoredJob): Statement[]
}

/**
 * Submits a job: validates it, charges the base price, and dispatches it. Throws 400, 404, and 422 (unsafe webhook_url,
 * unusable output) before anything is charged, then 402 if the balance is too low and 429 for too many open jobs.
 * Contract: Jobs, Submit; Errors.
 */
export async function submitJob(
  deps: Deps,
  submitter: Submitter,
  submission: Submission,
  { repeatOf = null, record = recordNothing, recheck, extraStatements = () => [] }: SubmitOptions = {},
) {
  const { jobs } = await acceptJobs(deps, submitter, () => readSubmission(deps, submitter, submission), {
    repeatOf,
    webhookUrl: submission.webhook_url ?? null,
    labels: labelsOf(submission),
    output: submission.output ?? null,
    ...(recheck === undefined ? {} : { recheck }),
    extraStatements: (jobs) =>
      jobs.flatMap((accepted) => [...record(viewJob(deps, accepted)), ...extraStatements(accepted)]),
  })
  const [job] = jobs
  if (job === undefined) throw new Error('no job was accepted')
  return viewJob(deps, job)
}

async function readSubmission(
  deps: Deps,
  submitter: Submitter,
  submission: Submission,
): Promise<RequestedJob[]> {
  const { webhook_url, params, output, filename, headers } = submission
  const [plan] = await Promise.all([
    readJobPlan(deps, submitter, submission),
    webhook_url ? requireSafeWebhook(deps, webhook_url) : undefined,
    output ? requireOutput(deps, submitter, output, submission) : undefined,
  ])
  const named = nameFile(plan, filename === undefined ? undefined : plainName(filename))
  return [addHeaders(deps, { plan: named, params }, headers, ['body', 'headers'])]
}
