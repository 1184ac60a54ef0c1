import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
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
} from './client-answers.ts'

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

/** An answer that was not the expected one. */
export class ResponseError extends Error {
  readonly status: number
  readonly body: unknown
  /** When to ask again, where the answer says. */
  readonly retry_after_seconds: number | null

  constructor(what: string, status: number, body: unknown, retry_after_seconds: number | null = null) {
    super(`${what} was answered ${status}: ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
    this.retry_after_seconds = retry_after_seconds
  }

  /** The sentence for a person, where the answer has one. */
  get detail(): string {
    const parsed = DetailSchema.safeParse(this.body)
    return parsed.success ? parsed.data.detail : this.message
  }
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

/** Forty polls a minute, of the sixty requests that a free account may make. */
const POLL_MS_MAX = 1500

/** A client of the API, as a program of a customer would have one. `token` is a session token or an API key. */
export class Client {
  readonly apiUrl: string
  token: string | null

  constructor(apiUrl: string, token: string | null = null) {
    this.apiUrl = apiUrl
    this.token = token
  }

  /** Any call: the response as it came, whatever its status. An object as `body` is sent as JSON. */
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

  private async call<Answer>(schema: z.ZodType<Answer>, method: string, path: string, body?: unknown) {
    const response = await this.send(method, path, body)
    const text = await response.text()
    if (!response.ok) {
      throw new ResponseError(`${method} ${path}`, response.status, parseJson(text), retryAfterOf(response))
    }
    return schema.parse(parseJson(text))
  }

  /** Opens an account and goes on as its owner. */
  async register(credentials: Credentials): Promise<void> {
    this.token = (await this.call(SessionSchema, 'POST', '/api/v1/auth/register', credentials)).access_token
  }

  async login(credentials: Credentials): Promise<void> {
    this.token = (await this.call(SessionSchema, 'POST', '/api/v1/auth/login', credentials)).access_token
  }

  presign(file: { filename: string; content_type: string; size_bytes: number }) {
    return this.call(PresignSchema, 'POST', '/api/v1/uploads/presign', file)
  }

  /** Sends a file straight into storage; answers the url that jobs take as `file_url`. */
  async upload(
    file: string,
    content_type: string,
    onProgress: (sent: number, total: number) => void = () => {},
  ): Promise<string> {
    const { size: size_bytes } = await stat(file)
    const presigned = await this.presign({ filename: basename(file), content_type, size_bytes })
    const headers = { ...presigned.headers, 'content-length': String(size_bytes) }
    const body = readWithProgress(file, (sent) => onProgress(sent, size_bytes))
    const response = await fetch(presigned.put_url, { method: 'PUT', headers, body, duplex: 'half' })
    const text = await response.text()
    if (!response.ok) throw new ResponseError('the upload', response.status, text)
    return presigned.url
  }

  submit(submission: Submission): Promise<Job> {
    return this.call(JobSchema, 'POST', '/api/v1/jobs', submission)
  }

  job(id: string): Promise<Job> {
    return this.call(JobSchema, 'GET', `/api/v1/jobs/${id}`)
  }

  /** The newest jobs of the account. */
  jobs(limit: number): Promise<Job[]> {
    return this.call(z.array(JobSchema), 'GET', `/api/v1/jobs?mine=true&limit=${limit}`)
  }

  cancel(id: string): Promise<Job> {
    return this.call(JobSchema, 'POST', `/api/v1/jobs/${id}/cancel`)
  }

  /** Polls until the job is over, in whichever way; throws when that takes longer than `timeout_ms`. */
  async waitForJob(id: string, timeout_ms: number, onPoll: (job: Job) => void = () => {}): Promise<Job> {
    const deadline = Date.now() + timeout_ms
    for (let pause_ms = 25; ; pause_ms = Math.min(pause_ms * 1.5, POLL_MS_MAX)) {
      const job = await this.pollJob(id)
      onPoll(job)
      if (job.status !== 'queued' && job.status !== 'processing') return job
      if (Date.now() > deadline) throw new Error(`job ${id} is still ${job.status} after ${timeout_ms} ms`)
      await delay(pause_ms)
    }
  }

  /** Waits where the service says that it was asked too often. */
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

  /** A result's bytes, by the download proxy. */
  async download(url: string): Promise<Response> {
    const path = `/api/v1/uploads/download?url=${encodeURIComponent(url)}`
    const response = await this.send('GET', path)
    if (!response.ok) {
      const body = parseJson(await response.text())
      throw new ResponseError('the download', response.status, body, retryAfterOf(response))
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

  /** Which of its parts the service reaches, also where the answer is 503. */
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

async function* readWithProgress(
  file: string,
  onProgress: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    yield chunk
    sent += chunk.length
    onProgress(sent)
  }
}
