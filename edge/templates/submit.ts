import type { AccountCaller } from '../accounts/rules/caller.ts'
import { type GivenFile, submitFiles } from '../batches/submit.ts'
import type { Deps } from '../deps.ts'
import type { ImportHeaders } from '../jobs/rules/import-headers.ts'
import type { GivenLabels } from '../jobs/rules/labels.ts'
import type { JobOutput } from '../jobs/rules/output.ts'
import { submitJob } from '../jobs/submit.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { expandTemplate } from './rules/content.ts'
import { findTemplate } from './show.ts'

interface TemplateRun extends Omit<GivenLabels, 'template'> {
  version?: number | undefined
  params: Record<string, unknown>
  webhook_url?: string | null | undefined
  output?: JobOutput | null | undefined
}

interface TemplateJobRun extends TemplateRun {
  file_url?: string | undefined
  url?: string | undefined
  filename?: string | undefined
  headers?: ImportHeaders | undefined
}

interface TemplateBatchRun extends TemplateRun {
  file_urls?: string[] | undefined
  files?: GivenFile[] | undefined
}

/**
 * Submits the job that a template expands to. Throws 404 for an unknown template or version, and like submitJob.
 * Contract: Templates, Template jobs.
 */
export async function submitTemplateJob(
  deps: Deps,
  caller: AccountCaller,
  name: string,
  { version, params, file_url, url, ...given }: TemplateJobRun,
  record: RecordAnswer,
) {
  const { template, ...job } = await expand(deps, caller, name, { version, params })
  const input = { ...(file_url === undefined ? {} : { file_url }), ...(url === undefined ? {} : { url }) }
  const submission = { ...given, ...job, params: { ...job.params, ...input }, template }
  return submitJob(deps, caller, submission, { record })
}

/** Submits many files to a template, each as a job. Throws 404 like submitTemplateJob, and like submitBatch. */
export async function submitTemplateBatch(
  deps: Deps,
  caller: AccountCaller,
  name: string,
  { version, params, ...files }: TemplateBatchRun,
  record: RecordAnswer,
) {
  const { template, ...operation } = await expand(deps, caller, name, { version, params })
  return submitFiles(deps, caller, operation, { ...files, template }, record)
}

async function expand(
  deps: Deps,
  caller: AccountCaller,
  name: string,
  { version, params }: Pick<TemplateRun, 'version' | 'params'>,
) {
  const found = await findTemplate(deps, caller, name, version)
  const { serviceSlug: service_slug, operations } = found.version
  const template = { name, version: found.version.version }
  return { ...expandTemplate({ service_slug, operations }, params), template }
}
