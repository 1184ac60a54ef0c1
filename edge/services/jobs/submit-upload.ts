import type { Deps } from '../../deps.ts'
import type { AccountCaller } from '../../rules/caller.ts'
import { ApiError } from '../api-error.ts'
import type { RecordAnswer } from '../record-answer.ts'
import type { ReceivedUpload } from '../uploads/receive.ts'
import { purgeUpload } from './purge.ts'
import { submitJob } from './submit.ts'

interface UploadSubmission {
  service_slug: string
  operation_key: string
  params?: string | undefined
  webhook_url?: string | null | undefined
}

/**
 * Submits a job on a file that was just uploaded; whatever is refused, the file goes again.
 * Throws 400 for params that are no JSON object, and all that a submit throws. Specification: Jobs, upload.
 */
export async function submitUpload(
  deps: Deps,
  caller: AccountCaller,
  { key, url }: ReceivedUpload,
  readSubmission: () => UploadSubmission,
  record: RecordAnswer,
) {
  try {
    const submission = readSubmission()
    const params = { ...readParams(submission.params), file_url: url }
    return await submitJob(deps, caller, { ...submission, params }, { record })
  } catch (error) {
    if (error instanceof ApiError) deps.defer(purgeUpload(deps, key))
    throw error
  }
}

function readParams(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text.trim() === '') return {}
  const params = parseJson(text)
  if (typeof params === 'object' && params !== null && !Array.isArray(params)) {
    return params as Record<string, unknown>
  }
  throw new ApiError(400, 'params must be a JSON object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
