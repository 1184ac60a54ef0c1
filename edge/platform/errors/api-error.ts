import type { ErrorEntry, InputFault } from './rules/entry.ts'
import { type FieldFacts, type FieldFault, faultAt } from './rules/field-faults.ts'
import { ERRORS, type ErrorCode, type FactsOf, type Refusal, sentenceOf } from './rules/table.ts'

/** The `detail` of an error body. Contract: Errors. */
export type ErrorDetail = string | { code: string; message: string } | readonly InputFault[]

interface Options {
  /** Additional headers. Retry-After is derived from the error. */
  headers?: Record<string, string>
  /** What this client can do, if more is known than the general help for the code. */
  help?: string | undefined
}

type Parameters<Code extends ErrorCode> =
  FactsOf<Code> extends undefined
    ? [facts?: undefined, options?: Options]
    : [facts: FactsOf<Code>, options?: Options]

/** An error shown to callers: a code from the error table and the values for its message. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override name = 'ApiError'
  readonly code: Code
  readonly status: number
  readonly detail: ErrorDetail
  /** The input field at fault, such as `params.crf`; null if there is none. */
  readonly param: string | null
  readonly help: string
  readonly headers: Readonly<Record<string, string>>

  constructor(code: Code, ...[facts, { headers = {}, help } = {}]: Parameters<Code>) {
    const sentence = sentenceOf({ code, facts } as unknown as Refusal)
    super(sentence)
    const entry: ErrorEntry = ERRORS[code]
    this.code = code
    this.status = entry.status
    this.detail = shapeDetail(code, entry, sentence, facts)
    this.help = help ?? entry.help
    this.param = paramOf(entry, facts)
    this.headers = { ...retryAfter(entry, facts), ...headers }
  }
}

/** Converts a rule's refusal to an error. */
export function toError(refusal: Refusal): ApiError {
  const { code, facts } = refusal as { code: 'not_found'; facts?: undefined }
  return new ApiError(code, facts)
}

/** Creates the error for a body field that only a use case can validate. */
export function invalidField<Fault extends FieldFault>(
  field: string,
  fault: Fault,
  ...facts: FieldFacts<Fault>
): ApiError {
  return new ApiError('validation_failed', { faults: [faultAt(['body', field], fault, ...facts)] })
}

function shapeDetail(code: string, { shape }: ErrorEntry, message: string, facts: unknown): ErrorDetail {
  if (shape === 'object') return { code, message }
  return shape === 'faults' ? (facts as { faults: InputFault[] }).faults : message
}

function paramOf({ param: fixed }: ErrorEntry, facts: unknown): string | null {
  const { faults = [], param = fixed } = (facts ?? {}) as { faults?: InputFault[]; param?: string }
  const [first] = faults
  // The first element is the part of the request: body, query, path or header.
  return first === undefined ? (param ?? null) : first.loc.slice(1).join('.') || null
}

function retryAfter({ retry_after_seconds: fixed }: ErrorEntry, facts: unknown): Record<string, string> {
  const { retry_after_seconds = fixed } = (facts ?? {}) as { retry_after_seconds?: number }
  return retry_after_seconds === undefined ? {} : { 'Retry-After': String(retry_after_seconds) }
}
