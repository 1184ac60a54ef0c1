import type { Deps } from '../deps.ts'
import { acceptJobs, type Submitter } from '../jobs/accept.ts'
import { addHeaders } from '../jobs/add-headers.ts'
import type { RequestedJob } from '../jobs/make.ts'
import { type BatchFile, readJobPlans } from '../jobs/make-plans.ts'
import type { StoredJob } from '../jobs/queries.ts'
import { requireOutput } from '../jobs/require-output.ts'
import type { ImportHeaders } from '../jobs/rules/import-headers.ts'
import { type GivenLabels, type Labels, labelsOf } from '../jobs/rules/labels.ts'
import type { JobOutput } from '../jobs/rules/output.ts'
import { makeId } from '../platform/database/ids.ts'
import { invalidField } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { readStudioSelection, type StudioOperation, type StudioSelection } from '../studio/read-operation.ts'
import { plainName } from '../uploads/rules/addresses.ts'
import { requireSafeWebhook } from '../webhooks/address.ts'
import { insertBatchStatement, type StoredBatch } from './queries.ts'
import { filenameOf, viewBatch } from './view.ts'

/** A file of a request for many files. */
export interface GivenFile {
  url: string
  filename?: string | undefined
  headers?: ImportHeaders | undefined
}

interface BatchRequest extends GivenLabels {
  file_urls?: string[] | undefined
  files?: GivenFile[] | undefined
  webhook_url?: string | null | undefined
  output?: JobOutput | null | undefined
}

type BatchRun = StudioSelection & BatchRequest

/**
 * Submits many files to one operation: one job per file, either all accepted in one commit or none. Throws the same
 * errors as submitting a job, 402 if the balance does not cover all base prices, 422 for more files than the
 * in-flight limit, and 429 if other open jobs leave too little room. Contract: Batches, Batch request.
 */
export async function submitBatch(
  deps: Deps,
  submitter: Submitter,
  { file_urls, files, webhook_url, output, tag, metadata, ...selection }: BatchRun,
  record: RecordAnswer,
) {
  if (webhook_url && submitter.kind === 'anonymous') {
    throw invalidField('webhook_url', 'webhook_needs_account')
  }
  const operation = await readStudioSelection(deps, selection)
  const request = { file_urls, files, webhook_url, output, tag, metadata }
  return submitFiles(deps, submitter, operation, request, record)
}

/** Submits the files of a request to an operation. Throws like submitBatch. */
export function submitFiles(
  deps: Deps,
  submitter: Submitter,
  operation: StudioOperation,
  { file_urls = [], files, webhook_url, output = null, ...labels }: BatchRequest,
  record: RecordAnswer,
) {
  const sent =
    files?.map((file, index) => ({ ...file, place: `files.${index}.url` })) ??
    file_urls.map((url, index) => ({ url, place: `file_urls.${index}` }))
  const given = { webhookUrl: webhook_url ?? null, output, labels: labelsOf(labels), record }
  return acceptBatch(deps, submitter, operation, sent, { repeatOf: null, ...given })
}

interface BatchOptions {
  repeatOf: string | null
  webhookUrl: string | null
  output: JobOutput | null
  labels: Labels
  record: RecordAnswer
}

/** Accepts a batch with a validated operation and validated files. Throws like submitBatch. */
export async function acceptBatch(
  deps: Deps,
  submitter: Submitter,
  { params, ...operation }: StudioOperation,
  files: BatchFile[],
  { repeatOf, webhookUrl, output, labels, record }: BatchOptions,
) {
  const id = makeId(deps.db)
  const makeBatch = (now: number): StoredBatch => ({
    id,
    accountId: submitter.account?.id ?? null,
    serviceSlug: operation.service_slug,
    operationKey: operation.operation_key,
    params,
    total: files.length,
    stopped: null,
    error: null,
    webhookUrl,
    ...labels,
    repeatOf,
    createdAt: now,
  })
  const view = (accepted: StoredJob[], now: number) =>
    viewBatch(
      deps,
      makeBatch(now),
      accepted.map((job) => ({ ...job, filename: filenameOf(job) })),
    )
  const read = async () => {
    const [requested] = await Promise.all([
      readFiles(deps, submitter, { params, ...operation }, files),
      webhookUrl === null ? undefined : requireSafeWebhook(deps, webhookUrl),
      output === null
        ? undefined
        : requireOutput(deps, submitter, output, { ...operation, file_count: files.length }),
    ])
    return requested
  }
  const { jobs, accepted_at } = await acceptJobs(deps, submitter, read, {
    batchId: id,
    webhookUrl,
    labels,
    output,
    extraStatements: (accepted, now) => [
      insertBatchStatement(deps.db, makeBatch(now)),
      ...record(view(accepted, now)),
    ],
  })
  return view(jobs, accepted_at)
}

async function readFiles(
  deps: Deps,
  submitter: Submitter,
  operation: StudioOperation,
  files: readonly BatchFile[],
): Promise<RequestedJob[]> {
  const named = files.map((file) => ({ ...file, filename: file.filename && plainName(file.filename) }))
  const plans = await readJobPlans(deps, submitter, operation, named)
  return plans.map((plan, index) => {
    const { url: file_url, headers } = files[index] ?? {}
    const requested = { plan, params: { ...operation.params, file_url } }
    return addHeaders(deps, requested, headers, ['body', 'files', index, 'headers'])
  })
}
