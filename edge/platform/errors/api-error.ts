/** `detail` of an error body: a sentence, or an object with a code for states of billing and maintenance. */
export type ErrorDetail = string | { code: string; message: string; [field: string]: unknown } | InputFault[]

/** Where the input is wrong and what would be right, as the schemas' own refusals tell it. */
export interface InputFault {
  loc: (string | number)[]
  msg: string
  type: string
}

/** A refusal that the caller is told as it is. Contract: Errors. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly detail: ErrorDetail
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, detail: ErrorDetail, headers: Record<string, string> = {}) {
    super(sentenceOf(detail))
    this.status = status
    this.detail = detail
    this.headers = headers
  }
}

function sentenceOf(detail: ErrorDetail): string {
  if (typeof detail === 'string') return detail
  return Array.isArray(detail) ? detail.map(({ msg }) => msg).join('; ') : detail.message
}

/** 422 for one field of the body that only a service can judge. */
export function invalidField(field: string, msg: string, type = 'custom'): ApiError {
  return new ApiError(422, [{ loc: ['body', field], msg, type }])
}
