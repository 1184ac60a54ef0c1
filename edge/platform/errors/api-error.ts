import { type Locale, type Texts, textIn } from '../../../shared/text/texts.ts'
import type { ErrorEntry, InputFault } from './rules/entry.ts'
import { type FieldFacts, type FieldFault, faultAt } from './rules/field-faults.ts'
import { ERRORS, type ErrorCode, type FactsOf, type Refusal, sentenceOf } from './rules/table.ts'

/** A fault as shown to callers. */
type ShownFault = Omit<InputFault, 'msg'> & { msg: string }

/** The `detail` of an error body. Contract: Errors. */
export type ErrorDetail = string | { code: string; message: string } | readonly ShownFault[]

interface Options {
  /** Additional headers. Retry-After is derived from the error. */
  headers?: Record<string, string>
  /** What this client can do, if more is known than the general help for the code. */
  help?: Texts | undefined
}

type Parameters<Code extends ErrorCode> =
  FactsOf<Code> extends undefined
    ? [facts?: undefined, options?: Options]
    : [facts: FactsOf<Code>, options?: Options]

/** An error shown to callers: a code from the error table and the values for its texts. Its `message` is English. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override name = 'ApiError'
  readonly code: Code
  readonly status: number
  /** The input field at fault, such as `params.crf`; null if there is none. */
  readonly param: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly #facts: unknown
  readonly #help: Texts | undefined

  constructor(code: Code, ...[facts, { headers = {}, help } = {}]: Parameters<Code>) {
    super(sentenceOf({ code, facts } as unknown as Refusal))
    const entry: ErrorEntry = ERRORS[code]
    this.code = code
    this.status = entry.status
    this.param = paramOf(entry, facts)
    this.headers = { ...retryAfter(entry, facts), ...headers }
    this.#facts = facts
    this.#help = help
  }

  /** Returns the fields of the body that depend on the error, with its texts in one language. */
  describe(locale: Locale) {
    const { code, param } = this
    const entry: ErrorEntry = ERRORS[code]
    const facts = (this.#facts ?? {}) as Record<string, unknown>
    const detail = shapeDetail(code, entry, facts, locale)
    const help = textIn(locale, this.#help ?? entry.help, facts)
    const fields = Object.fromEntries((entry.fields ?? []).map((name) => [name, facts[name]]))
    return { detail, code, ...(param === null ? {} : { param }), ...fields, help }
  }
}

/** Converts a rule's refusal to an error. */
export function toError(refusal: Refusal): ApiError {
  const { code, facts } = refusal as { code: 'unsupported_media_type'; facts?: undefined }
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

function shapeDetail(code: string, entry: ErrorEntry, facts: object, locale: Locale): ErrorDetail {
  if (entry.shape === 'faults') {
    const { faults } = facts as { faults: readonly InputFault[] }
    return faults.map((fault) => ({ ...fault, msg: fault.msg[locale] }))
  }
  const message = textIn(locale, entry.detail, facts)
  return entry.shape === 'object' ? { code, message } : message
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
