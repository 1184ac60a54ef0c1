import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError } from '../services/api-error.ts'
import type { AppEnv } from './context.ts'

const request_id = z.string().describe('Also in the X-Request-Id header; quote it to support')

/** Specification: Errors. `detail` is a sentence, or an object with a `code` for states of billing. */
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

/** Answers 422 in the specification's form: each fault with where it is and what would be right. */
export function answerInvalid(
  context: Context,
  target: Target,
  issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message' | 'code'>[],
) {
  const place = LOCATIONS[target] ?? target
  const detail = issues.map(({ path, message, code }) => ({
    loc: [place, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    msg: message,
    type: code ?? 'invalid',
  }))
  return context.json({ detail, request_id: context.get('requestId') }, 422)
}

/** The fields of a form, checked as a JSON body is. Throws 422 with each fault. */
export function readFields<Fields>(schema: z.ZodType<Fields>, fields: Record<string, string>): Fields {
  const { data, error } = schema.safeParse(fields)
  if (error === undefined) return data
  throw new ApiError(
    422,
    error.issues.map(({ path, message, code }) => ({
      loc: ['body', ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
      msg: message,
      type: code,
    })),
  )
}

/** The one place where an error becomes an answer. What is not foreseen never shows its message. */
export function handleErrors(app: OpenAPIHono<AppEnv>): void {
  app.notFound((context) => context.json({ detail: 'not found', request_id: context.get('requestId') }, 404))
  app.onError((error, context) => {
    const request_id = context.get('requestId')
    if (error instanceof ApiError) {
      for (const [name, value] of Object.entries(error.headers)) context.header(name, value)
      return context.json({ detail: error.detail, request_id }, error.status as ContentfulStatusCode)
    }
    if (error instanceof HTTPException) return answerException(context, error)
    reportUnforeseen(error, request_id)
    return context.json({ detail: 'something went wrong on our side', request_id }, 500)
  })
}

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

/** For the operator's logs; the one use of the console in the Worker. */
export function reportUnforeseen(error: unknown, requestId: string): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.error(JSON.stringify({ level: 'error', request_id: requestId, error: describe(error) }))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined
    ? (error.stack ?? error.message)
    : `${error.stack}\ncaused by ${describe(error.cause)}`
}
