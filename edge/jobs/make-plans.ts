import type { Operation } from '../../shared/planning/operation.ts'
import { assetKey, type Stage } from '../../shared/planning/pipeline.ts'
import type { Dispatch, Source } from '../../shared/protocol/dispatch.ts'
import type { Caller } from '../accounts/rules/caller.ts'
import { findLiveOperation, listLiveOperations } from '../catalog/tools.ts'
import type { Deps } from '../deps.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import { type FoundFile, findFiles, findLink } from './find-input.ts'
import type { ImportHeaders } from './rules/import-headers.ts'
import type { GivenLabels } from './rules/labels.ts'
import type { JobOutput } from './rules/output.ts'
import { assetsOf, readStages, type StagePlaces } from './rules/pipeline.ts'

/** A submission by a client. */
export interface Submission extends GivenLabels {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
  /** Base name of the result; defaults to the name of the input. */
  filename?: string | undefined
  /** Headers for the import of the file by URL. */
  headers?: ImportHeaders | undefined
  /** URL that receives an event when the job is finished. */
  webhook_url?: string | null | undefined
  /** Export destination of the result. */
  output?: JobOutput | null | undefined
}

/** A validated job plan: the part of the dispatch that depends only on the submission. */
export type JobPlan = Pick<
  Dispatch,
  | 'service_slug'
  | 'operation_key'
  | 'params'
  | 'pipeline'
  | 'source'
  | 'input_bytes'
  | 'filename'
  | 'is_named'
  | 'assets'
>

const PARAMS_BYTES_MAX = 64 * 1024
/** A queue message can hold 128 KB; the rest of a dispatch is small. */
const PLAN_BYTES_MAX = 120_000

/**
 * Validates a submission and finds its files. Throws 404 for an unknown service, and 400 for an unknown or disabled
 * operation, an invalid parameter, or an invalid file URL. Nothing has been charged at this point.
 */
export async function readJobPlan(deps: Deps, caller: Caller, submission: Submission): Promise<JobPlan> {
  const { params } = submission
  const find = (operation: Operation) => findMainFile(deps, caller, operation, params)
  const [plan] = await makePlans(deps, caller, submission, async (operation) => [await find(operation)])
  if (plan === undefined) throw new Error('a submission of one file has no plan')
  return plan
}

/** A file in a batch, as submitted. */
export interface BatchFile {
  /** Path of the file's URL in the request. */
  place: string
  url: string
  filename?: string | undefined
  headers?: ImportHeaders | undefined
}

/** Limits the size of a batch's commit, which contains all URLs and parameters three times. */
const BATCH_BYTES_MAX = 1024 * 1024

/**
 * Validates a submission for many files and returns one plan per file, in order. Throws like readJobPlan, and also
 * 400 for link operations.
 */
export async function readJobPlans(
  deps: Deps,
  caller: Caller,
  submission: Submission,
  files: readonly BatchFile[],
): Promise<JobPlan[]> {
  const operation_name = `${submission.service_slug}/${submission.operation_key}`
  const { operation } = await findLiveOperation(deps, submission.service_slug, submission.operation_key)
  if (operation.accepts.includes('link'))
    throw new ApiError('operation_takes_link', { operation: operation_name })
  const plans = await makePlans(deps, caller, submission, async ({ accepts }) => {
    const requested = files.map(({ url, place }) => ({
      field: place,
      place,
      address: url,
      operation_name,
      accepts,
    }))
    const found = await findFiles(deps, caller, requested)
    return found.map((file, index) => nameFile(file, files[index]?.filename))
  })
  requireBytes([plans, files.map(({ headers }) => headers)], BATCH_BYTES_MAX, 'batch')
  return plans
}

/** Names a file as the caller does. A name that the file has anyway is no choice: a repeat submits it as well. */
export function nameFile<File extends { filename: string }>(
  file: File,
  filename: string | undefined,
): File & { is_named?: true } {
  if (filename === undefined || filename === file.filename) return file
  return { ...file, filename, is_named: true }
}

async function makePlans(
  deps: Deps,
  caller: Caller,
  submission: Submission,
  find: (operation: Operation) => Promise<FoundFile[]>,
): Promise<JobPlan[]> {
  const { operation, stages } = await checkJobPlan(deps, submission)
  const [{ params }, ...following] = stages
  const [found, assets] = await Promise.all([find(operation), findAssets(deps, caller, stages)])
  const pipeline = following.map((stage) => ({ operation_key: stage.operation.key, params: stage.params }))
  const common = { service_slug: operation.service, operation_key: operation.key, params, pipeline, assets }
  return found.map((file) => {
    const plan = { ...common, ...file }
    // Measures URLs as encoded: each non-ASCII character takes six bytes or more.
    requireBytes(plan, PLAN_BYTES_MAX, 'job')
    return plan
  })
}

/** Throws 400 if the content is too large. */
function requireBytes(content: object, bytes_max: number, what: 'params' | 'job' | 'batch'): void {
  if (new TextEncoder().encode(JSON.stringify(content)).length <= bytes_max) return
  throw new ApiError('params_too_large', { what, bytes_max })
}

/**
 * Validates everything in a submission except its files. Throws like readJobPlan.
 * @param places name the invalid input.
 */
export async function checkJobPlan(
  deps: Deps,
  { service_slug, operation_key, params }: Submission,
  places?: StagePlaces,
) {
  const { operation } = await findLiveOperation(deps, service_slug, operation_key)
  requireBytes(params, PARAMS_BYTES_MAX, 'params')
  const checked = readStages(operation, params, await listLiveOperations(deps), places)
  if ('stages' in checked) return { operation, stages: checked.stages }
  const { refused } = checked
  if (refused.code === 'operation_takes_link') throw toError(refused)
  throw new ApiError('invalid_params', refused.facts)
}

async function findMainFile(
  deps: Deps,
  caller: Caller,
  { service, key, accepts }: Operation,
  params: Record<string, unknown>,
): Promise<FoundFile> {
  const operation_name = `${service}/${key}`
  if (accepts.includes('link'))
    return findLink(deps, { field: 'url', address: params.url, operation_name, accepts })
  const requested = { field: 'file_url', address: params.file_url, operation_name, accepts }
  const [file] = await findFiles(deps, caller, [requested])
  if (file === undefined) throw new Error('a requested file is found or refused')
  return file
}

async function findAssets(
  deps: Deps,
  caller: Caller,
  stages: readonly Stage[],
): Promise<Record<string, Source>> {
  const requested = stages.flatMap((stage, index) =>
    assetsOf(stage).map((asset) => ({
      name: assetKey(index, asset.name),
      field: asset.name,
      address: asset.url,
      operation_name: `${stage.operation.service}/${stage.operation.key}`,
      accepts: [asset.kind],
    })),
  )
  const found = await findFiles(deps, caller, requested)
  return Object.fromEntries(found.map(({ source }, index) => [requested[index]?.name, source]))
}
