import { MediaError, readError } from './error.ts'
import type { Platform, PutRequest } from './platform.ts'
import { pause, pauseBeforeRetry, type RetryLimits } from './retry.ts'
import { endIfStalled } from './stall.ts'

const STALL_MS = 60_000

export interface Call {
  method: string
  /** Path with its query. */
  path: string
  json?: unknown
  form?: FormData
  headers?: Record<string, string>
  idempotencyKey?: string | undefined
  /** True if repeating the request has no further effect. */
  isRepeatable: boolean
  /** Set to 0 for responses that are streamed. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

export interface TransportOptions extends RetryLimits {
  apiUrl: string
  apiKey: string | undefined
  /** Value of Accept-Language. */
  language: string | undefined
  timeoutMs: number
  /** Maximum time without progress of an upload. Default: 60,000. */
  stallMs?: number | undefined
  /** Replaces the global fetch. */
  fetch: typeof fetch | undefined
}

/** Sends requests to the service, and retries failed ones if that is safe. */
export class Transport {
  readonly options: TransportOptions

  constructor(options: TransportOptions) {
    this.options = options
  }

  /**
   * Sends a request, with retries.
   * @returns the successful response
   * @throws MediaError for an error response or a failed connection; the signal's reason after an abort
   */
  async send(call: Call): Promise<Response> {
    const url = `${this.options.apiUrl}${call.path}`
    const headers = { ...this.commonHeaders(), ...call.headers }
    if (call.json !== undefined) headers['content-type'] = 'application/json'
    if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
    const init: RequestInit = { method: call.method, headers }
    if (call.json !== undefined) init.body = JSON.stringify(call.json)
    if (call.form !== undefined) init.body = call.form
    return this.repeat(call, (signal) => this.exchange(url, { ...init, signal }))
  }

  /** Sends a request and parses the JSON of its response. A response without a body is undefined. */
  async request<Body>(call: Call): Promise<Body> {
    const response = await this.send(call)
    const text = await response.text()
    if (text === '') return undefined as Body
    try {
      return JSON.parse(text) as Body
    } catch (cause) {
      const message = 'The response is not JSON. Check the API URL.'
      throw new MediaError(message, { status: response.status, code: 'invalid_response', cause })
    }
  }

  /** Reads from another address, such as storage, with the same retries and without the API key. */
  get(url: string, headers: Record<string, string>, signal: AbortSignal | undefined): Promise<Response> {
    const attempt = () => this.exchange(url, { headers, ...(signal && { signal }) })
    return this.repeat({ signal, isRepeatable: true, timeoutMs: 0 }, attempt)
  }

  /** Sends a file to storage, with the same retries and without the API key. */
  put(platform: Platform, url: string, request: PutRequest, maxRetries?: number): Promise<Response> {
    const { signal } = request
    const { stallMs = STALL_MS, fetch: customFetch } = this.options
    const attempt = () =>
      endIfStalled(stallMs, request, (watched) =>
        readResponse(url, () => platform.put(url, watched, customFetch)),
      )
    return this.repeat({ signal, maxRetries, isRepeatable: true, timeoutMs: 0 }, attempt)
  }

  private commonHeaders(): Record<string, string> {
    const { apiKey, language } = this.options
    return {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(language !== undefined && { 'accept-language': language }),
    }
  }

  private async repeat(
    call: Pick<Call, 'signal' | 'timeoutMs' | 'isRepeatable' | 'idempotencyKey'> & {
      maxRetries?: number | undefined
    },
    attempt: (signal: AbortSignal | undefined) => Promise<Response>,
  ): Promise<Response> {
    const { signal, timeoutMs = this.options.timeoutMs } = call
    const limits = { ...this.options, ...(call.maxRetries !== undefined && { maxRetries: call.maxRetries }) }
    const is_repeatable = call.isRepeatable || call.idempotencyKey !== undefined
    let waited_ms = 0
    for (let number = 1; ; number++) {
      signal?.throwIfAborted()
      try {
        return await attempt(timeoutMs === 0 ? signal : withTimeout(signal, timeoutMs))
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof MediaError)) throw error
        const pause_ms = pauseBeforeRetry({ error, number, waited_ms, is_repeatable }, limits, Math.random())
        if (pause_ms === null) throw error
        waited_ms += pause_ms
        await pause(pause_ms, signal)
      }
    }
  }

  private exchange(url: string, init: RequestInit): Promise<Response> {
    const { fetch: customFetch } = this.options
    return readResponse(url, () => (customFetch ?? fetch)(url, init))
  }
}

/** Waits for a successful response. @throws MediaError for an error response or a failed connection */
async function readResponse(url: string, attempt: () => Promise<Response>): Promise<Response> {
  let response: Response
  try {
    response = await attempt()
  } catch (cause) {
    throw connectionError(url, cause)
  }
  if (!response.ok) throw await readError(response)
  return response
}

function withTimeout(signal: AbortSignal | undefined, timeout_ms: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeout_ms)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

function connectionError(url: string, cause: unknown): MediaError {
  const { host } = new URL(url)
  const is_timeout = cause instanceof Error && cause.name === 'TimeoutError'
  if (is_timeout) return new MediaError(`${host} did not respond in time.`, { code: 'timeout', cause })
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause)
  return new MediaError(`The connection to ${host} failed: ${reason}`, { code: 'network_error', cause })
}
