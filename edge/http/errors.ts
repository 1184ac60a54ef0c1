import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ANONYMOUS } from '../accounts/rules/caller.ts'
import { ListTooLong } from '../jobs/list-queries.ts'
import { PARAMS_NOT_OBJECT } from '../jobs/schemas.ts'
import { reportUnforeseen } from '../log.ts'
import { isDatabaseSilent } from '../platform/database/client.ts'
import { ApiError, type InputFault } from '../platform/errors/api-error.ts'
import type { AppEnv } from './context.ts'
import { findStaticFile } from './static-files.ts'
import { throttle } from './throttle.ts'

const request_id = z.string().describe('Also in the X-Request-Id header; quote it to support')

/** Contract: Errors. `detail` is a sentence, or an object with a `code` for states of billing. */
export const ErrorBody = z
  .object({
    detail: z.union([z.string(), z.looseObject({ code: z.string(), message: z.string() })]),
    request_id,
  })
  .openapi('Error')

export const ValidationErrorBody = z
  .object({
    detail: z.array(
      z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() }),
    ),
    request_id,
  })
  .openapi('ValidationError')

type Target = 'json' | 'query' | 'param' | 'header' | 'form' | 'cookie'
const LOCATIONS: Partial<Record<Target, string>> = { json: 'body', form: 'body', param: 'path' }

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message' | 'code'>

/** Each fault in the contract's form: where it is, and what would be right. */
function faultsOf(place: string, issues: readonly Issue[]): InputFault[] {
  return issues.map(({ path, message, code }) => ({
    loc: [place, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    msg: message,
    type: code ?? 'invalid',
  }))
}

export function answerInvalid(context: Context, target: Target, issues: readonly Issue[]) {
  const { detail, status } = refusalOf(LOCATIONS[target] ?? target, issues)
  return context.json({ detail, request_id: context.get('requestId') }, status as ContentfulStatusCode)
}

/** Contract: Errors. 422 with every fault, but 400 where `params` is no object and that is all. */
function refusalOf(place: string, issues: readonly Issue[]): ApiError {
  const isParamsOnly = issues.every(({ message }) => message === PARAMS_NOT_OBJECT)
  return isParamsOnly ? new ApiError(400, PARAMS_NOT_OBJECT) : new ApiError(422, faultsOf(place, issues))
}

/** Reads the fields of a form and checks them as a JSON body is. Throws 422 with each fault, or 400. */
export function readFields<Fields>(schema: z.ZodType<Fields>, fields: Record<string, string>): Fields {
  const { data, error } = schema.safeParse(fields)
  if (error === undefined) return data
  throw refusalOf('body', error.issues)
}

/** The one place where an error becomes an answer. What is not foreseen never shows its message. */
export function handleErrors(app: OpenAPIHono<AppEnv>): void {
  app.notFound(async (context) => {
    const file = await findStaticFile(context)
    if (file !== null) return file
    if (context.req.path.startsWith('/api/')) await throttle(context, ANONYMOUS)
    const request_id = context.get('requestId')
    const allowed = allowedMethods(app, context.req.path)
    if (allowed.length === 0) return context.json({ detail: 'not found', request_id }, 404)
    const detail = `${context.req.method} is not allowed here; use ${allowed.join(' or ')}`
    return context.json({ detail, request_id }, 405, { Allow: allowed.join(', ') })
  })
  app.onError((error, context) => {
    const request_id = context.get('requestId')
    if (error instanceof ApiError) {
      const headers = { ...(error.status === 401 && CHALLENGE), ...error.headers }
      for (const [name, value] of Object.entries(headers)) context.header(name, value)
      return context.json({ detail: error.detail, request_id }, error.status as ContentfulStatusCode)
    }
    if (error instanceof HTTPException) return answerException(context, error)
    if (error instanceof ListTooLong) return context.json({ detail: LIST_TOO_LONG, request_id }, 400)
    reportUnforeseen(error, { request_id })
    if (isDatabaseSilent(error)) return answerSilence(context)
    return context.json({ detail: 'something went wrong on our side', request_id }, 500)
  })
}

const LIST_TOO_LONG = 'these jobs are too long to be listed at once: ask for fewer by limit'

/** What a 401 must come with: RFC 9110, 15.5.2. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods that a path has an endpoint for; middleware alone, which stands at many paths, is none. */
function allowedMethods(app: OpenAPIHono<AppEnv>, path: string): string[] {
  const ofAll = app.router.match('NONE', path)[0].length
  return METHODS.filter((method) => app.router.match(method, path)[0].length > ofAll)
}

/** Nobody knows yet whether it was written; with an Idempotency-Key the same request finds out. */
function answerSilence(context: Context) {
  const detail = 'the database did not answer in time; what was asked may still have been carried out'
  context.header('Retry-After', String(SILENCE_RETRY_SECONDS))
  return context.json({ detail, request_id: context.get('requestId') }, 503)
}

const SILENCE_RETRY_SECONDS = 10

/** Hono's own refusals: a body that isn't JSON is a fault at `body`. */
function answerException(context: Context, { status, message }: HTTPException) {
  const request_id = context.get('requestId')
  if (status === 400) {
    const detail = [{ loc: ['body'], msg: message, type: 'json_invalid' }]
    return context.json({ detail, request_id }, 422)
  }
  const detail = status === 415 ? 'the body must be JSON, sent as application/json' : message
  return context.json({ detail, request_id }, status as ContentfulStatusCode)
}
