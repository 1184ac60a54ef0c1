import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { issueSentence, UNKNOWN_FIELDS_MAX, UNKNOWN_SEPARATOR } from '../../shared/planning/issue-message.ts'
import { type Locale, unpackTexts, writeTexts } from '../../shared/text/texts.ts'
import { forgetCredentials } from '../accounts/authenticate.ts'
import { ANONYMOUS } from '../accounts/rules/caller.ts'
import { InvalidSettings } from '../env.ts'
import { answerLegalPage } from '../legal/answer-page.ts'
import { reportInvalidSettings, reportUnforeseen } from '../log.ts'
import { isAccountMoving } from '../platform/database/account-moving.ts'
import { isDatabaseUnavailable } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { InputFault } from '../platform/errors/rules/entry.ts'
import { FIELD_FAULTS, faultAt } from '../platform/errors/rules/field-faults.ts'
import { PARAMS_NOT_OBJECT } from '../platform/errors/rules/operations.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { answerUnknownPage, answerWebPage } from '../web-app/answer-page.ts'
import type { AppEnv } from './context.ts'
import { METHODS, methodNotAllowed } from './refuse-other-methods.ts'
import { suggestPath } from './rules/suggest-path.ts'
import { findStaticFile } from './static-files.ts'
import { throttle } from './throttle.ts'

type Target = 'json' | 'query' | 'param' | 'header' | 'form' | 'cookie'
const LOCATIONS: Partial<Record<Target, string>> = { json: 'body', form: 'body', param: 'path' }

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message' | 'code'> & {
  params?: { fault?: string } | undefined
  /** An object's unknown fields. */
  keys?: string[] | undefined
}

/** Sets the messages of all schemas that do not define their own. */
z.config({ customError: issueSentence })

/** Keep the response small, however many faults the body has and however long its names are. */
const ISSUES_MAX = 50
const NAME_CHARACTERS_MAX = 64

/** Maps validation issues to the contract's error format, with a separate fault for each unknown field. */
export function faultsOf(place: string, issues: readonly Issue[]): InputFault[] {
  return issues.slice(0, ISSUES_MAX).flatMap(({ path, message, code, keys, params }) => {
    const loc = [place, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
    const msg = unpackTexts(message)
    if (keys === undefined) return [{ loc, msg, type: params?.fault ?? code ?? 'invalid' }]
    return keys.slice(0, UNKNOWN_FIELDS_MAX).map((key, index) => ({
      loc: [...loc, key.slice(0, NAME_CHARACTERS_MAX)],
      msg: writeTexts((locale) => msg[locale].split(UNKNOWN_SEPARATOR)[index] ?? msg[locale]),
      type: 'unknown_field',
    }))
  })
}

export function answerInvalid(context: Context, target: Target, issues: readonly Issue[]): Response {
  return answerError(context, refusalOf(LOCATIONS[target] ?? target, issues))
}

/**
 * Maps issues to an error: 400 if the only fault is that `params` is not an object, otherwise 422 with all faults.
 * Contract: Errors.
 */
function refusalOf(place: string, issues: readonly Issue[]): ApiError {
  const ofParams = issues.filter((issue) => issue.message === PARAMS_NOT_OBJECT || isParamsText(issue))
  if (ofParams.length === issues.length) {
    const help = ofParams.some(isParamsText) ? FIELD_FAULTS.json_text_invalid : undefined
    return new ApiError('params_not_object', undefined, { help })
  }
  return new ApiError('validation_failed', { faults: faultsOf(place, issues) })
}

/** Checks whether an issue is about `params` in a form that is not JSON. */
function isParamsText({ path, params }: Issue): boolean {
  return path.join() === 'params' && params?.fault === 'json_text_invalid'
}

/**
 * Validates form fields like a JSON body. Throws 422 with all faults, or 400 if the only fault is that `params` is
 * not an object.
 */
export function readFields<Fields>(schema: z.ZodType<Fields>, fields: Record<string, string>): Fields {
  const { data, error } = schema.safeParse(fields)
  if (error === undefined) return data
  throw refusalOf('body', error.issues)
}

/** Converts an error to a response. All error responses are created here. */
export function answerError(context: Context<AppEnv>, error: ApiError): Response {
  const { status, headers } = error
  const locale = localeOf(context)
  const all = { ...(status === 401 && CHALLENGE), ...headers, ...languageHeaders(locale) }
  for (const [name, value] of Object.entries(all)) context.header(name, value)
  const body = { ...errorBody(context, error, locale), request_id: context.get('requestId') }
  return context.json(body, status as ContentfulStatusCode)
}

/** Returns the language of the caller's errors. */
export function localeOf({ req }: Context): Locale {
  return pickLocale(req.header('accept-language'))
}

/** Returns the headers of a response whose texts are in the caller's language. Contract: Errors, Languages. */
export function languageHeaders(locale: Locale): Record<string, string> {
  return { 'Content-Language': locale, Vary: 'Accept-Language' }
}

/** Returns the body of an error response without its request id. */
export function errorBody(context: Context<AppEnv>, error: ApiError, locale: Locale) {
  return { ...error.describe(locale), doc_url: `${publicUrl(context)}/docs/errors#${error.code}` }
}

/** Falls back to the request's origin if there are no settings, for example because the Worker is misconfigured. */
function publicUrl(context: Context<AppEnv>): string {
  return context.get('deps')?.env.PUBLIC_URL ?? new URL(context.req.url).origin
}

/** Header required on 401 responses (RFC 9110, 15.5.2). */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

export function handleErrors(app: OpenAPIHono<AppEnv>): void {
  app.notFound(async (context) => {
    const page =
      (await answerWebPage(context)) ?? (await answerLegalPage(context)) ?? (await findStaticFile(context))
    if (page !== null) return page
    if (context.req.path.startsWith('/api/')) await throttle(context, ANONYMOUS)
    const allowed = allowedMethods(app, context.req.path)
    if (allowed.length === 0) {
      const suggestion = suggestPath(context.req.path, endpointPaths(app))
      return (
        (await answerUnknownPage(context)) ?? answerError(context, new ApiError('not_found', { suggestion }))
      )
    }
    return answerError(context, methodNotAllowed(context.req.method, allowed))
  })
  app.onError((error, context) => answerError(context, toApiError(error, context)))
}

/** Lists the methods that have an endpoint at a path. Middleware does not count. */
function allowedMethods(app: OpenAPIHono<AppEnv>, path: string): string[] {
  const ofAll = app.router.match('NONE', path)[0].length
  return METHODS.filter((method) => app.router.match(method, path)[0].length > ofAll)
}

/** Lists the paths of the API. Middleware does not count. */
function endpointPaths({ routes }: OpenAPIHono<AppEnv>): ReadonlySet<string> {
  return new Set(routes.map(({ path }) => path).filter((path) => /^\/api\/v1\/[^*]+$/.test(path)))
}

/** Maps any error to an API error. The message of an unexpected error is logged but never shown. */
function toApiError(error: Error, context: Context): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException) {
    // Hono throws these errors for a body that is not JSON or is not declared as JSON.
    if (error.status === 415) return new ApiError('unsupported_media_type')
    if (error.status === 400) {
      return new ApiError('validation_failed', { faults: [faultAt(['body'], 'json_invalid')] })
    }
  }
  if (error instanceof InvalidSettings) {
    reportInvalidSettings(error)
    return new ApiError('settings_invalid')
  }
  if (isAccountMoving(error)) {
    // The next attempt finds the account in its new database.
    forgetCredentials(context.get('deps'))
    return new ApiError('account_moving')
  }
  reportUnforeseen(error, { request_id: context.get('requestId') })
  return new ApiError(isDatabaseUnavailable(error) ? 'database_unavailable' : 'internal_error')
}
