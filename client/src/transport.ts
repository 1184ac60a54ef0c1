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
  /** True if the caller reads the body as it arrives. Such a response has no time limit. */
  isStreamed?: boolean
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
   * Sends a request, with retries. A connection that is lost within the response is retried too, unless the response is
   * streamed.
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
    const { isStreamed = false } = call
    const attempt = (signal: AbortSignal | undefined) =>
      this.exchange(url, { ...init, ...(signal && { signal }) }, isStreamed)
    return this.repeat({ ...call, hasTimeLimit: !isStreamed }, attempt)
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

  /**
   * Reads from another address, such as storage, with the same retries, without the API key and without a time limit.
   * @param options.isStreamed false to receive the whole body first
   */
  get(
    url: string,
    { headers, signal, isStreamed }: Pick<Call, 'headers' | 'signal'> & { isStreamed: boolean },
  ): Promise<Response> {
    const init = { ...(headers && { headers }), ...(signal && { signal }) }
    return this.repeat({ signal, isRepeatable: true }, () => this.exchange(url, init, isStreamed))
  }

  /** Sends a file to storage, with the same retries and without the API key. */
  put(platform: Platform, url: string, request: PutRequest, maxRetries?: number): Promise<Response> {
    const { signal } = request
    const { stallMs = STALL_MS, fetch: customFetch } = this.options
    const attempt = () =>
      endIfStalled(stallMs, request, (watched) =>
        readResponse(url, false, () => platform.put(url, watched, customFetch)),
      )
    return this.repeat({ signal, maxRetries, isRepeatable: true }, attempt)
  }

  private commonHeaders(): Record<string, string> {
    const { apiKey, language } = this.options
    return {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(language !== undefined && { 'accept-language': language }),
    }
  }

  private async repeat(
    call: Pick<Call, 'signal' | 'isRepeatable' | 'idempotencyKey'> & {
      maxRetries?: number | undefined
      hasTimeLimit?: boolean
    },
    attempt: (signal: AbortSignal | undefined) => Promise<Response>,
  ): Promise<Response> {
    const { signal, hasTimeLimit = false } = call
    const limits = { ...this.options, ...(call.maxRetries !== undefined && { maxRetries: call.maxRetries }) }
    const is_repeatable = call.isRepeatable || call.idempotencyKey !== undefined
    let waited_ms = 0
    for (let number = 1; ; number++) {
      signal?.throwIfAborted()
      try {
        return await attempt(hasTimeLimit ? withTimeout(signal, this.options.timeoutMs) : signal)
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

  private exchange(url: string, init: RequestInit, isStreamed: boolean): Promise<Response> {
    const { fetch: customFetch } = this.options
    return readResponse(url, isStreamed, () => (customFetch ?? fetch)(url, init))
  }
}

/** Waits for a successful response. @throws MediaError for an error response or a failed connection */
async function readResponse(
  url: string,
  isStreamed: boolean,
  attempt: () => Promise<Response>,
): Promise<Response> {
  let response: Response
  try {
    response = await attempt()
    if (response.ok && !isStreamed) response = await receiveBody(response)
  } catch (cause) {
    throw connectionError(url, cause)
  }
  if (!response.ok) throw await readError(response)
  return response
}

async function receiveBody(response: Response): Promise<Response> {
  const body = await response.arrayBuffer()
  const { status, headers } = response
  // A response without content, such as 204, must not have a body.
  return new Response(body.byteLength === 0 ? null : body, { status, headers })
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
