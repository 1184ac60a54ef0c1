/** `detail` of an error body: a sentence, or an object with a code for states of billing and maintenance. */
export type ErrorDetail = string | { code: string; message: string; [field: string]: unknown }

/** A refusal that the caller is told as it is. Specification: Errors. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly detail: ErrorDetail
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, detail: ErrorDetail, headers: Record<string, string> = {}) {
    super(typeof detail === 'string' ? detail : detail.message)
    this.status = status
    this.detail = detail
    this.headers = headers
  }
}
