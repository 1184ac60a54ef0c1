import type { z } from '@hono/zod-openapi'
import { listAny } from '../../shared/text/words.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { type ErrorExample, errorExampleReference, showError } from '../platform/errors/example.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import { ERRORS, type ErrorCode } from '../platform/errors/rules/table.ts'
import type { Access } from './access.ts'
import { IdempotencyHeaders } from './answer-once.ts'
import { ErrorBody, ValidationErrorBody } from './error-schemas.ts'
import { faultsOf } from './errors.ts'

type ObjectSchema = z.ZodObject

/** The parts of an endpoint from which its errors follow. */
interface Failing {
  method: string
  access: Access
  body?: z.ZodType | undefined
  form?: ObjectSchema | undefined
  unchecked?: z.ZodType | undefined
  query?: ObjectSchema | undefined
  params?: ObjectSchema | undefined
  idempotent?: boolean
  submits?: boolean
  unenforced?: object
  errors?: readonly ErrorCode[]
}

const SESSION_CODES: readonly ErrorCode[] = ['missing_bearer_token', 'invalid_bearer_token']
const KEY_CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key', 'invalid_bearer_token']

const ACCESS_CODES: Record<Access, readonly ErrorCode[]> = {
  none: [],
  session: SESSION_CODES,
  admin: [...SESSION_CODES, 'administrator_required'],
  either: KEY_CODES,
  // Credentials are optional, but wrong ones are refused.
  anyone: KEY_CODES,
}

/** Lists the codes of an endpoint: its own, and those that its access, input and limits imply. Contract: Errors. */
function codesOf(failing: Failing): ErrorCode[] {
  const { method, access, body, form, unchecked, idempotent, submits, unenforced, errors } = failing
  const codes: ErrorCode[] = [
    ...ACCESS_CODES[access],
    ...(errors ?? []),
    // The limit of 1 MiB applies even if no body is expected. Forms have limits of their own.
    ...(method === 'get' || unchecked || form ? [] : (['body_too_large'] as const)),
    ...(body ? (['unsupported_media_type'] as const) : []),
    ...(hasInput(failing) ? (['validation_failed'] as const) : []),
    ...(idempotent ? (['idempotency_request_running', 'idempotency_response_lost'] as const) : []),
    ...(unenforced === undefined ? (['rate_limited'] as const) : []),
    ...(submits ? (['maintenance'] as const) : []),
  ]
  return codes.length === 0
    ? []
    : [...new Set([...codes, 'overloaded', 'database_unavailable', 'account_moving'] as const)]
}

function hasInput({ body, form, query, params, idempotent }: Failing): boolean {
  return idempotent === true || [body, form, query, params].some((part) => part !== undefined)
}

/** The error of every path, for the methods that it does not have. */
const OTHER_METHODS: ErrorCode = 'method_not_allowed'

/** Returns the error responses of an endpoint by status. Each has an example of each of its codes. */
export function errorResponses(failing: Failing) {
  const codes = [...codesOf(failing), OTHER_METHODS]
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted()
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code].status === status)
      const content = {
        schema: schemaOf(own),
        // Computed only for the document, because it validates an input.
        get examples() {
          return Object.fromEntries(own.map((code) => [code, exampleIn(failing, code)]))
        },
      }
      return [status, { description: describe(own), content: { 'application/json': content } }]
    }),
  )
}

function schemaOf(codes: readonly ErrorCode[]): z.ZodType {
  if (!codes.includes('validation_failed')) return ErrorBody
  return codes.length === 1 ? ValidationErrorBody : ValidationErrorBody.or(ErrorBody)
}

function describe(codes: readonly ErrorCode[]): string {
  if (codes.includes(OTHER_METHODS)) return 'Error code `method_not_allowed`, for other methods at this path'
  const names = codes.map((code) => `\`${code}\``)
  return `Error code ${listAny('en', names)}`
}

function exampleIn(failing: Failing, code: ErrorCode): ErrorExample | { $ref: string } {
  const faults = code === 'validation_failed' ? exampleFaults(failing) : []
  if (faults.length === 0) return { $ref: errorExampleReference(code) }
  return showError(new ApiError('validation_failed', { faults }))
}

/** Returns the first fault of an input with a missing or unknown field, as the endpoint itself reports it. */
function exampleFaults({ body, form, params, query, idempotent }: Failing) {
  if (form !== undefined) return [faultAt(['body', 'file'], 'file_missing')]
  const [known = 'page'] = Object.keys(query?.shape ?? {})
  const tries: [string, z.ZodType | undefined, object][] = [
    ['body', body, {}],
    ['body', body, { unknown: true }],
    ['query', query, { [`${known}s`]: '1' }],
    ['path', params, {}],
    ['header', idempotent ? IdempotencyHeaders : undefined, { 'idempotency-key': '' }],
  ]
  for (const [place, schema, input] of tries) {
    const issues = schema?.safeParse(input).error?.issues ?? []
    if (issues.length > 0) return faultsOf(place, issues).slice(0, 1)
  }
  return []
}
