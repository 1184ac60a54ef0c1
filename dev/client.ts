import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Media } from '../client/node/index.ts'
import {
  BalanceSchema,
  DetailSchema,
  type Job,
  JobSchema,
  type Ledger,
  LedgerCheckSchema,
  LedgerSchema,
  PresignSchema,
  ReadinessSchema,
  SessionSchema,
} from './client-responses.ts'

export type { Job, Ledger }

export interface Credentials {
  email: string
  password: string
}
export interface Submission {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
}

/** Thrown when a response has an unexpected status. */
export class ResponseError extends Error {
  readonly status: number
  readonly body: unknown
  /** Value of the Retry-After header; null if the response has none. */
  readonly retry_after_seconds: number | null

  constructor(request: string, status: number, body: unknown, retry_after_seconds: number | null = null) {
    super(`${request} failed with status ${status}: ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
    this.retry_after_seconds = retry_after_seconds
  }

  /** The `detail` of the error body, or this error's message if the body has none. */
  get detail(): string {
    const parsed = DetailSchema.safeParse(this.body)
    return parsed.success ? parsed.data.detail : this.message
  }
}

function parseRetryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

/**
 * Maximum pause between polls, which results in about 40 polls per minute. A free account may send 60 requests per
 * minute.
 */
const POLL_MS_MAX = 1500

/**
 * An API client for tests and measurements. `token` is a session token or an API key. Unlike the client of the package,
 * it sends each request once, so that refusals and times are those of the service; it checks the fields of every
 * response; and `send` returns responses of any status. Only uploads are those of the package.
 */
export class Client {
  readonly apiUrl: string
  token: string | null

  constructor(apiUrl: string, token: string | null = null) {
    this.apiUrl = apiUrl
    this.token = token
  }

  /** Sends a request and returns the response, whatever its status. `body` is sent as JSON. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const authorization = this.token === null ? {} : { authorization: `Bearer ${this.token}` }
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(new URL(path, this.apiUrl), {
      method,
      headers: { ...authorization, ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  private async call<Body>(schema: z.ZodType<Body>, method: string, path: string, body?: unknown) {
    const response = await this.send(method, path, body)
    const text = await response.text()
    if (!response.ok) {
      throw new ResponseError(
        `${method} ${path}`,
        response.status,
        parseJson(text),
        parseRetryAfter(response),
      )
    }
    return schema.parse(parseJson(text))
  }

  /** Registers an account and signs in to it. */
  async register(credentials: Credentials): Promise<void> {
    this.token = (await this.call(SessionSchema, 'POST', '/api/v1/auth/register', credentials)).access_token
  }

  async login(credentials: Credentials): Promise<void> {
    this.token = (await this.call(SessionSchema, 'POST', '/api/v1/auth/login', credentials)).access_token
  }

  presign(file: { filename: string; content_type: string; size_bytes: number }) {
    return this.call(PresignSchema, 'POST', '/api/v1/uploads/presign', file)
  }

  /**
   * Uploads a file directly to storage.
   * @returns the URL that jobs accept as `file_url`
   */
  async upload(file: string, contentType: string): Promise<string> {
    const media = new Media({ apiUrl: this.apiUrl, ...(this.token !== null && { apiKey: this.token }) })
    return (await media.uploads.file(file, { contentType })).url
  }

  submit(submission: Submission): Promise<Job> {
    return this.call(JobSchema, 'POST', '/api/v1/jobs', submission)
  }

  job(id: string): Promise<Job> {
    return this.call(JobSchema, 'GET', `/api/v1/jobs/${id}`)
  }

  /** Lists the account's newest jobs. */
  jobs(limit: number): Promise<Job[]> {
    return this.call(z.array(JobSchema), 'GET', `/api/v1/jobs?mine=true&limit=${limit}`)
  }

  cancel(id: string): Promise<Job> {
    return this.call(JobSchema, 'POST', `/api/v1/jobs/${id}/cancel`)
  }

  /**
   * Polls until the job is done, failed, or canceled.
   * @throws after `timeout_ms`
   */
  async waitForJob(id: string, timeout_ms: number, onPoll: (job: Job) => void = () => {}): Promise<Job> {
    const deadline = Date.now() + timeout_ms
    for (let pause_ms = 25; ; pause_ms = Math.min(pause_ms * 1.5, POLL_MS_MAX)) {
      const job = await this.pollJob(id)
      onPoll(job)
      if (job.status !== 'queued' && job.status !== 'processing') return job
      if (Date.now() > deadline) throw new Error(`Job ${id} is still ${job.status} after ${timeout_ms} ms`)
      await delay(pause_ms)
    }
  }

  /** Fetches a job. Retries after a 429 response. */
  private async pollJob(id: string): Promise<Job> {
    for (;;) {
      try {
        return await this.job(id)
      } catch (error) {
        if (!(error instanceof ResponseError) || error.status !== 429) throw error
        await delay((error.retry_after_seconds ?? 1) * 1000)
      }
    }
  }

  /** Downloads a result through the download proxy. */
  async download(url: string): Promise<Response> {
    const path = `/api/v1/uploads/download?url=${encodeURIComponent(url)}`
    const response = await this.send('GET', path)
    if (!response.ok) {
      const body = parseJson(await response.text())
      throw new ResponseError('Download', response.status, body, parseRetryAfter(response))
    }
    return response
  }

  async balance(): Promise<number> {
    return (await this.call(BalanceSchema, 'GET', '/api/v1/billing/balance')).balance
  }

  ledger(limit = 100): Promise<Ledger> {
    return this.call(LedgerSchema, 'GET', `/api/v1/billing/ledger?limit=${limit}`)
  }

  verifyLedger() {
    return this.call(LedgerCheckSchema, 'GET', '/api/v1/billing/ledger/verify')
  }

  /** Returns the readiness checks, even if the status is 503. */
  async readiness() {
    const response = await this.send('GET', '/api/ready')
    return { http_status: response.status, ...ReadinessSchema.parse(await response.json()) }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
