import { Stalled } from '../../runtime/download-limits.ts'

/** A response with a status after which the same request may succeed later. */
export class TemporaryStatus extends Error {
  readonly status: number
  /** Pause that the server asks for. */
  readonly retry_after_ms: number | null

  constructor(status: number, retry_after_ms: number | null) {
    super(`the server responded with ${status}`)
    this.status = status
    this.retry_after_ms = retry_after_ms
  }
}

/** A file that a server did not send to its end. */
export class CutConnection extends Error {}

const CUT_CODES = new Set([
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
])
/** Errors of a wrong URL, unless the server has responded before. */
const UNKNOWN_SERVER_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND'])

/** Checks whether another try may succeed. */
export function isTemporary(error: unknown, has_begun: boolean): boolean {
  if (error instanceof TemporaryStatus || error instanceof CutConnection || error instanceof Stalled)
    return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return CUT_CODES.has(code) || (has_begun && UNKNOWN_SERVER_CODES.has(code))
}
