import { MediaError, readError } from './error.ts'
import { pause, pauseBeforeRetry, type RetryLimits } from './retry.ts'

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
  timeoutMs: number
  fetch: typeof fetch
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
    const headers = { ...this.authorization(), ...call.headers }
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

  /** Sends a request to another address, such as storage, with the same retries and without the API key. */
  transfer(
    url: string,
    makeInit: () => RequestInit,
    call: Pick<Call, 'signal'> & { maxRetries?: number },
  ): Promise<Response> {
    const attempt = (signal: AbortSignal | undefined) => this.exchange(url, { ...makeInit(), signal })
    return this.repeat({ ...call, isRepeatable: true, timeoutMs: 0 }, attempt)
  }

  private authorization(): Record<string, string> {
    const { apiKey } = this.options
    return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  }

  private async repeat(
    call: Pick<Call, 'signal' | 'timeoutMs' | 'isRepeatable' | 'idempotencyKey'> & { maxRetries?: number },
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

  /** Makes one attempt. @throws MediaError for an error response or a failed connection */
  private async exchange(url: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      const { fetch } = this.options
      response = await fetch(url, init)
    } catch (cause) {
      throw connectionError(url, cause)
    }
    if (!response.ok) throw await readError(response)
    return response
  }
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
