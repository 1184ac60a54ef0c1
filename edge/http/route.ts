import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Locale } from '../../shared/text/texts.ts'
import type { AccountCaller, Caller, SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import type { ErrorCode } from '../platform/errors/rules/table.ts'
import { findInexactInteger } from '../platform/http/rules/inexact-integers.ts'
import { findUnstorable } from '../platform/http/rules/storable.ts'
import { type RecordAnswer, recordNothing } from '../platform/idempotency/record-answer.ts'
import { mapValues } from '../platform/map-values.ts'
import type { QuotaPolicy } from '../platform/quotas/rules/lease.ts'
import { type Access, findCallerNow, requireAccess } from './access.ts'
import { answerOnce, IdempotencyHeaders } from './answer-once.ts'
import type { AppEnv } from './context.ts'
import { documentHeaders } from './document-headers.ts'
import { errorResponses } from './error-responses.ts'
import { answerError, answerInvalid, languageHeaders, localeOf } from './errors.ts'
import { refuseInMaintenance } from './maintenance.ts'
import { refuseJson } from './refuse-json.ts'
import { requireUtf8 } from './require-utf8.ts'
import type { Tag } from './tags.ts'
import { type Counting, countOnly, type Guard, throttleAddress } from './throttle.ts'

type Schema = z.ZodType
type ObjectSchema = z.ZodObject

type CallerOf<A extends Access> = A extends 'session' | 'admin'
  ? SessionCaller
  : A extends 'either'
    ? AccountCaller
    : A extends 'none'
      ? null
      : Caller

type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** Input of an endpoint handler: the validated request parts, the caller and the dependencies. */
export interface Call<A extends Access, Body, Query, Path> {
  body: Parsed<Body>
  query: Parsed<Query>
  path: Parsed<Path>
  caller: CallerOf<A>
  deps: Deps
  headers: Headers
  /** The language that the caller prefers. Contract: Errors, Languages. */
  locale: Locale
  url: string
  /** Records the response for replay. `idempotent` endpoints must commit it together with their work. */
  record: RecordAnswer
  /** The raw request, for handlers that stream the body. */
  request: Request
  /**
   * False only if an `unenforced` limit is exhausted. Enforced limits refuse the request before it reaches the
   * handler.
   */
  hasRoom: boolean
  /** Reloads the caller during a long response; returns null once the credential is revoked. */
  findCallerNow(): Promise<Caller | null>
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface Definition<M extends Method, Address extends string, A extends Access, Body, Query, Path, Answer> {
  method: M
  path: Address
  /**
   * The operationId in the form `group.action`, which must be unique. Generated clients derive method names from
   * it.
   */
  name: `${string}.${string}`
  access: Access & A
  tag: Tag
  summary: string
  description?: string
  body?: Body
  /** Documents a multipart form that the handler parses from the request stream. */
  form?: ObjectSchema
  /** Documents a JSON body that the handler parses itself. It is not validated here. */
  unchecked?: Schema
  query?: Query
  params?: Path
  /**
   * True if the endpoint honors `Idempotency-Key`. Set on every POST that charges, grants, submits or creates a
   * secret.
   */
  idempotent?: boolean
  /** True if the endpoint submits new work, which is refused during maintenance. */
  submits?: boolean
  /** True if the response contains texts in the caller's language. Contract: Errors, Languages. */
  localized?: boolean
  /** The endpoint that API keys can use instead of this one, which requires a session: `GET /api/v1/me/ping`. */
  forKeys?: string
  /** The endpoint for JSON, which is often sent to this one instead of its form. */
  forJson?: string
  /** Replaces the caller's limits with this limit per client address. */
  guard?: Guard
  /** True if the limits per day do not apply, because the endpoint ends work and must always be reachable. */
  ignoresDailyLimits?: boolean
  /**
   * Counts requests per client address against this limit without refusing any. Only for endpoints that do not
   * authenticate.
   */
  unenforced?: QuotaPolicy
  /** With `schema: null`, the response has no body. With 'file' or 'events', the handler returns a stream. */
  answer: { status: number; description: string; schema: Answer }
  /** Documents the data of the events of a response with the schema 'events'. */
  events?: Schema
  /** Alternative responses, which the handler returns as a Response. */
  alternatives?: Record<number, { description: string; schema: Schema | null }>
  /** Codes of this endpoint's errors, in addition to those implied by its access, input and limits. */
  errors?: readonly ErrorCode[]
  handle(
    call: Call<A, Body, Query, Path>,
  ): Promise<
    Answer extends Schema ? z.input<Answer> | Response : Answer extends 'file' | 'events' ? Response : void
  >
}

/** Describes an endpoint as one value: access, input, output and handler. */
export interface Route<M extends Method, Address extends string, Answer> {
  method: M
  path: Address
  /** The schema of the response body; null without a body. */
  answer: Answer
  mount(app: OpenAPIHono<AppEnv>): void
}

const NO_QUERY = z.strictObject({})

const jsonContent = <S extends Schema>(schema: S) => ({ 'application/json': { schema } })

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  none: [],
  session: [{ session: [] }],
  admin: [{ administrator: [] }],
  either: [{ session: [] }, { key: [] }, { keyAsBearer: [] }],
  anyone: [{}, { session: [] }, { key: [] }, { keyAsBearer: [] }],
}

/** Defines an endpoint. Derives its security entry, access check and common errors from `access`. */
export function route<
  const M extends Method,
  const Address extends string,
  A extends Access,
  Body extends Schema | undefined,
  Query extends ObjectSchema | undefined,
  Path extends ObjectSchema | undefined,
  Answer extends Schema | null | 'file' | 'events',
>(definition: Definition<M, Address, A, Body, Query, Path, Answer>): Route<M, Address, Answer> {
  const { method, path, name, access, tag, summary, description, body, form, params, answer } = definition
  // Callers without credentials, such as proxies and payment providers, may append parameters.
  const query = definition.query?.strict() ?? (access === 'none' ? undefined : NO_QUERY)
  const described = createRoute({
    method,
    path,
    tags: [tag],
    summary,
    operationId: name,
    description: `${sentence(description ?? summary)} ${ACCESS_SENTENCES[access]}${forKeysText(definition)}`,
    security: SECURITY[access],
    middleware: [
      admit(access, definition),
      ...(definition.forJson === undefined ? [] : [refuseJson(definition.forJson)]),
      ...(definition.submits ? [refuseInMaintenance] : []),
      ...(body === undefined ? [] : [requireUtf8]),
    ],
    request: {
      ...(body === undefined ? {} : { body: { required: true, content: jsonContent(body) } }),
      ...(query === undefined ? {} : { query }),
      ...(params === undefined ? {} : { params }),
      ...(definition.idempotent ? { headers: IdempotencyHeaders } : {}),
    },
    responses: documentHeaders(definition, query, {
      [answer.status]: { description: answer.description, ...contentOf(answer.schema, definition.events) },
      ...errorResponses({ ...definition, query }),
      ...mapValues(definition.alternatives ?? {}, ({ description, schema }) => ({
        description,
        ...contentOf(schema),
      })),
    }),
  })
  return {
    method,
    path,
    answer: answer.schema,
    mount(app) {
      const handler = async (context: Context<AppEnv>): Promise<Response> => {
        // As sent: validation drops a field named __proto__. Where all fields are optional, there may be no body.
        const sent = body === undefined ? null : await context.req.json().catch(() => null)
        const refusal = refuseUnstorable(context, sent, sent === null ? '' : await context.req.text())
        if (refusal) return refusal
        if (!definition.idempotent) return carryOut(context, recordNothing)
        return answerOnce(context, { status: answer.status, streamed: form !== undefined }, (record) =>
          carryOut(context, record),
        )
      }
      const carryOut = async (context: Context<AppEnv>, record: RecordAnswer): Promise<Response> => {
        const valid = (target: 'json' | 'query' | 'param') => context.req.valid(target as never) as unknown
        const result = await definition.handle({
          record,
          body: (body && valid('json')) as Parsed<Body>,
          query: (definition.query && valid('query')) as Parsed<Query>,
          path: (params && valid('param')) as Parsed<Path>,
          caller: (access === 'none' ? null : context.get('caller')) as CallerOf<A>,
          deps: context.get('deps'),
          headers: context.req.raw.headers,
          locale: localeOf(context),
          url: context.req.url,
          request: context.req.raw,
          hasRoom: (context.get('standings') ?? []).every(({ allowed }) => allowed),
          findCallerNow: () => findCallerNow(context, access),
        })
        return respond(context, result ?? null, definition)
      }
      if (form !== undefined)
        mountUnread(app, described, { 'multipart/form-data': { schema: form } }, params, handler)
      else if (definition.unchecked !== undefined)
        mountUnread(app, described, jsonContent(definition.unchecked), params, handler)
      else app.openapi(described, handler as never)
    },
  }
}

function admit(
  access: Access,
  { unenforced, forKeys, ...counting }: Counting & { unenforced?: QuotaPolicy; forKeys?: string },
) {
  if (access !== 'none') return requireAccess(access, counting, forKeys)
  return unenforced === undefined ? throttleAddress(counting) : countOnly(unenforced)
}

/** Converts the result of a handler to a response. */
function respond(
  context: Context<AppEnv>,
  result: object | null,
  { answer, localized }: { answer: { status: number; schema: unknown }; localized?: boolean },
): Response {
  const headers = localized ? languageHeaders(localeOf(context)) : {}
  if (result instanceof Response) {
    for (const [name, value] of Object.entries(headers)) result.headers.set(name, value)
    return result
  }
  if (answer.schema === null) return context.body(null, answer.status as 204)
  return context.json(result, answer.status as ContentfulStatusCode, headers)
}

/**
 * Registers a route without the body validator, which would buffer and parse the entire body before calling the
 * handler.
 */
function mountUnread(
  app: OpenAPIHono<AppEnv>,
  described: ReturnType<typeof createRoute>,
  content: Record<string, { schema: Schema }>,
  params: ObjectSchema | undefined,
  handler: (context: Context<AppEnv>) => Promise<Response>,
): void {
  const { middleware = [], ...operation } = described
  const body = { required: true, content }
  const checks = params === undefined ? [] : [checkPath(params)]
  app.openAPIRegistry.registerPath({ ...operation, request: { ...operation.request, body } })
  app.on([described.method], [described.getRoutingPath()], ...[middleware].flat(), ...checks, handler)
}

function checkPath(params: ObjectSchema): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const { data, error } = params.safeParse(context.req.param())
    if (error) return answerInvalid(context, 'param', error.issues)
    context.req.addValidatedData('param', data)
    return next()
  }
}

/** @param text of the body, with the digits of its numbers */
function refuseUnstorable(context: Context, body: unknown, text: string): Response | null {
  const reason = findUnstorable(body)
  const inexact = reason === null ? findInexactInteger(text) : null
  const faults = [
    ...(reason === null ? [] : [faultAt(['body'], 'unstorable_body', { reason })]),
    ...(inexact === null ? [] : [faultAt(['body', ...inexact], 'inexact_integer')]),
  ]
  return faults.length === 0 ? null : answerError(context, new ApiError('validation_failed', { faults }))
}

function contentOf(schema: Schema | null | 'file' | 'events', events: Schema = z.string()) {
  if (schema === null) return {}
  if (schema === 'file') return { content: { 'application/octet-stream': { schema: FILE } } }
  if (schema === 'events') return { content: { 'text/event-stream': { schema: events } } }
  return { content: jsonContent(schema) }
}

const FILE = { type: 'string', format: 'binary' } as const

/** Describes who may call an endpoint and whose limits a request counts against. */
const ACCESS_SENTENCES: Record<Access, string> = {
  none: 'Requires no credentials. Rate limits apply per client address.',
  session: 'Requires a session: the `access_token` that a sign-in returns. Rate limits apply per account.',
  admin: 'Requires the session of an administrator. Rate limits apply per account.',
  either: 'Requires a session or an API key. Rate limits apply per account and per key.',
  anyone:
    'Accepts a session, an API key, or no credentials. Rate limits apply per account and per key, or per client address.',
}

function forKeysText({ forKeys }: { forKeys?: string }): string {
  return forKeys === undefined ? '' : ` With an API key, use \`${forKeys}\`.`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
