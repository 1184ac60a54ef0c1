import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env as platform } from 'cloudflare:workers'
import { createApp } from '../../../edge/app.ts'
import type { Deps } from '../../../edge/deps.ts'
import { parseEnv } from '../../../edge/env.ts'
import { openDeps } from '../../../edge/open-deps.ts'
import { openDatabase } from '../../../edge/platform/database/client.ts'

const app = createApp()

/** What the Worker answered, its body read. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body where it is JSON; an empty object otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies that may be of any shape
  json: any
}

export interface CallOptions {
  token?: string
  key?: string
  body?: unknown
  /** Sent as it is, in place of `body`. */
  raw?: string
  /** A form or a stream, sent under its own content type. */
  content?: BodyInit
  headers?: Record<string, string>
}

/** The Worker with settings of its own, and the means to call it and look behind it. */
export interface TestContext {
  env: object
  readonly deps: Deps
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** As `call`, for an answer that is read while it comes. */
  open(method: string, path: string, options?: CallOptions): Promise<Response>
  /** Waits for the work that was deferred until after the answers. */
  settled(): Promise<void>
  fleet: { tell(mode: string): Promise<void>; requests(): Promise<{ path: string; body: Dispatched }[]> }
}

export interface Dispatched {
  jobs?: { job_id: string; dispatch: number }[]
  job_id?: string
}

export function publicUrl(): string {
  return (platform as unknown as { PUBLIC_URL: string }).PUBLIC_URL
}

/** Settings as the Worker has them in these tests, those given laid over. */
export function makeTestContext(overrides: Record<string, unknown> = {}): TestContext {
  const given = platform as unknown as Record<string, unknown>
  const theatre = crypto.randomUUID()
  const fleetUrl = String(given.FLEET_URL).replace(/common$/, theatre)
  const env = { ...given, FLEET_URL: fleetUrl, ...overrides }
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
    return app.fetch(request, env, context)
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
      async tell(mode) {
        await (await control({ method: 'PUT', body: JSON.stringify({ mode }) })).text()
      },
      async requests() {
        return ((await (await control()).json()) as { requests: { path: string; body: Dispatched }[] })
          .requests
      },
    },
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
}

/** The same test context for services, with a clock that a test moves; no cache is shared with the real time. */
export function depsAt({ deps }: TestContext, clock: { now(): number }): Deps {
  return { ...deps, clock, db: openDatabase(deps.env.DATABASE_URL, undefined) }
}

/** A queue that loses what it is sent, as one does that is down for long. */
export const LOST_QUEUE = { send: async () => undefined, sendBatch: async () => undefined }

/** Waits for a condition, looking every few milliseconds; throws when it does not come true in time. */
export async function eventually<Found>(
  what: string,
  look: () => Promise<Found | undefined | false>,
  deadline_ms = 10_000,
): Promise<Found> {
  const end = Date.now() + deadline_ms
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited ${deadline_ms} ms in vain for ${what}`)
    await scheduler.wait(10)
  }
}
