import type { ErrorCode, Job } from '../generated/types.ts'

/** The codes of the service, and the codes of errors that happen before a response arrives. */
export type MediaErrorCode = ErrorCode | 'network_error' | 'timeout' | 'invalid_response' | (string & {})

interface ErrorFields {
  status?: number
  code: MediaErrorCode
  param?: string
  requestId?: string
  retryAfter?: number
  docUrl?: string
  help?: string
  detail?: unknown
  cause?: unknown
}

/** Thrown when a request fails. Programs compare `code`; `message` is for users. */
export class MediaError extends Error {
  override readonly name: string = 'MediaError'
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number
  /** Stable name of the error. */
  readonly code: MediaErrorCode
  /** Input field at fault, such as `params.width`. */
  readonly param: string | undefined
  /** Id of the request, for support. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined
  /** Page that explains the code. */
  readonly docUrl: string | undefined
  /** Suggested fix. */
  readonly help: string | undefined
  /** `detail` of the error body: a sentence, an object, or a list of invalid fields. */
  readonly detail: unknown

  constructor(message: string, fields: ErrorFields) {
    super(message, { cause: fields.cause })
    this.status = fields.status ?? 0
    this.code = fields.code
    this.param = fields.param
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.docUrl = fields.docUrl
    this.help = fields.help
    this.detail = fields.detail
  }
}

/** Thrown when a job fails or is canceled by someone else. `code` is the `error_code` of the job, or `canceled`. */
export class JobError extends MediaError {
  override readonly name = 'JobError'
  readonly job: Job

  constructor(job: Job) {
    const message = job.error ?? `The job ${job.id} was ${job.status}.`
    super(message, { code: job.error_code ?? job.status, detail: job.error })
    this.job = job
  }
}

/** Returns the error that a response describes. Reads its body. */
export async function readError(response: Response): Promise<MediaError> {
  const text = await response.text().catch(() => '')
  const body = parseObject(text)
  const { code, param, doc_url, help, request_id, detail } = body
  return new MediaError(describe(detail) ?? `The service responded with status ${response.status}.`, {
    status: response.status,
    code: asText(code) ?? `http_${response.status}`,
    param: asText(param),
    requestId: asText(request_id) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: parseRetryAfter(response.headers.get('retry-after')),
    docUrl: asText(doc_url),
    help: asText(help),
    detail: detail ?? text,
  })
}

/** Returns the seconds of a Retry-After header, which holds seconds or a date. */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Returns one sentence for each of the three shapes of `detail`. Contract: Errors. */
function describe(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) {
    return detail.map(({ loc, msg }) => `${(loc ?? []).slice(1).join('.')}: ${msg}`).join('; ')
  }
  return asText((detail as { message?: unknown } | undefined)?.message)
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
