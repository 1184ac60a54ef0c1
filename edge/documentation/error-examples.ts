import { toError } from '../platform/errors/api-error.ts'
import type { ErrorEntry } from '../platform/errors/rules/entry.ts'
import { ERRORS, type ErrorCode, type Refusal } from '../platform/errors/rules/table.ts'

/** The error that callers most often meet with each status. */
const CODES: Record<string, ErrorCode> = {
  400: 'invalid_params',
  401: 'invalid_api_key',
  402: 'insufficient_credits',
  403: 'administrator_required',
  404: 'job_not_found',
  409: 'job_already_finished',
  413: 'file_too_large',
  415: 'file_type_not_allowed',
  429: 'rate_limited',
  503: 'maintenance',
}

const ERROR_SCHEMA = '#/components/schemas/Error'

/** Returns an example of an error response; undefined for other responses and rarer statuses. */
export function exampleOfError(status: string, schema: Record<string, unknown>): object | undefined {
  const code = CODES[status]
  if (code === undefined || schema.$ref !== ERROR_SCHEMA) return undefined
  const entry: ErrorEntry = ERRORS[code]
  const facts = 'example' in entry ? entry.example : undefined
  return {
    ...toError({ code, facts } as Refusal).describe('en'),
    doc_url: `https://media.example.com/docs/errors#${code}`,
    request_id: '7d1f4a52-93c6-4c0e-8a3b-5f2d9e6b1c40',
  }
}
