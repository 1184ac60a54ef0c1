import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env as platform } from 'cloudflare:workers'
import { createApp } from '../../../edge/app.ts'
import type { Deps } from '../../../edge/deps.ts'
import { parseEnv } from '../../../edge/env.ts'
import { openDeps } from '../../../edge/open-deps.ts'
import { openDatabase } from '../../../edge/platform/database/client.ts'
import type { ResponseBody } from './answers.ts'
import { expectDocumented } from './documented-errors.ts'

const app = createApp()

/** A response of the Worker with its body. */
export interface Answer<Body = unknown> {
  status: number
  headers: Headers
  text: string
  /** The parsed body if it is JSON, otherwise an empty object. */
  json: Body
  /** The error code; undefined without an error. */
  code: string | undefined
  /** The invalid fields of a response with status 422; otherwise empty. */
  faults: { loc: (string | number)[]; msg: string; type: string }[]
}

export interface CallOptions {
  token?: string
  key?: string
  body?: unknown
  /** Sent unchanged instead of `body`. */
  raw?: string
  /** A form or a stream, sent with its own content type. */
  content?: BodyInit
  headers?: Record<string, string>
}

/** A Worker with its own settings, which tests can call and inspect. */
export interface TestContext {
  env: object
  readonly deps: Deps
  /** Sends a request. The type of the body is that of the endpoint, where `path` is a literal. */
  call<Method extends string, Address extends string>(
    method: Method,
    path: Address,
    options?: CallOptions,
  ): Promise<Answer<ResponseBody<Method, Address>>>
  /** Like `call`, but returns the response before its body is read, for streams. */
  open(method: string, path: string, options?: CallOptions): Promise<Response>
  /** Waits for the work that was deferred with `waitUntil`. */
  settled(): Promise<void>
  fleet: { setMode(mode: string): Promise<void>; requests(): Promise<{ path: string; body: Dispatched }[]> }
}

export interface Dispatched {
  jobs?: { job_id: string; dispatch: number }[]
  job_id?: string
}

export function publicUrl(): string {
  return (platform as unknown as { PUBLIC_URL: string }).PUBLIC_URL
}

/** Creates a test context from the settings of the Worker and `overrides`. */
export function makeTestContext(overrides: Record<string, unknown> = {}): TestContext {
  const settings = platform as unknown as Record<string, unknown>
  const fleetScope = crypto.randomUUID()
  const fleetUrl = String(settings.FLEET_URL).replace(/common$/, fleetScope)
  const env = { ...settings, FLEET_URL: fleetUrl, ...overrides }
  const contexts: ExecutionContext[] = []
  const settled = async () => {
    await Promise.all(contexts.splice(0).map((context) => waitOnExecutionContext(context)))
  }
  async function open(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const { token, key, body, raw, content, headers = {} } = options
    const context = createExecutionContext()
    contexts.push(context)
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(publicUrl() + path, {
      method,
      headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
      ...(content === undefined ? {} : { body: content }),
    })
    const response = await app.fetch(request, env, context)
    await expectDocumented(app, request, response)
    return response
  }
  const control = (init?: RequestInit) => fetch(`${fleetUrl}/control`, init)
  return {
    env,
    get deps() {
      return openDeps(parseEnv(env), { waitUntil: () => undefined })
    },
    call: async (method, path, options) => readAnswer(await open(method, path, options)),
    open,
    settled,
    fleet: {
      async setMode(mode) {
        await (await control({ method: 'PUT', body: JSON.stringify({ mode }) })).text()
      },
      async requests() {
        return ((await (await control()).json()) as { requests: { path: string; body: Dispatched }[] })
          .requests
      },
    },
  }
}

async function readAnswer<Body>(response: Response): Promise<Answer<Body>> {
  const { status, headers } = response
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const isJson = headers.get('content-type')?.includes('json') ?? false
  const json = isJson ? JSON.parse(text) : {}
  return {
    status,
    headers,
    text,
    json,
    code: json?.code,
    faults: Array.isArray(json?.detail) ? json.detail : [],
  }
}

/** The dependencies of a context with another clock. A separate database client keeps its TTL caches apart. */
export function depsAt({ deps }: TestContext, clock: { now(): number }): Deps {
  return { ...deps, clock, db: openDatabase(deps.env.DATABASE_URL, undefined) }
}

/** A queue that loses every message, like one that is down for a long time. */
export const LOST_QUEUE = { send: async () => undefined, sendBatch: async () => undefined }

/** Returns a value that must exist. @throws Error if it does not */
export function found<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('The value does not exist.')
  return value
}

/** Returns the query of the next page from the Link header; undefined on the last page. */
export function nextQuery(headers: Headers): string | undefined {
  return /<[^>]*\?([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
}

/** Parses a time of a response; NaN if there is none, which passes no comparison. */
export function timeOf(time: string | null | undefined): number {
  return Date.parse(time ?? '')
}

/** Polls a condition every 10 ms until it is met. @throws after `deadline_ms` */
export async function eventually<Found>(
  what: string,
  find: () => Promise<Found | undefined | false>,
  deadline_ms = 10_000,
): Promise<Found> {
  const end = Date.now() + deadline_ms
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`Timed out after ${deadline_ms} ms waiting for ${what}.`)
    await scheduler.wait(10)
  }
}
