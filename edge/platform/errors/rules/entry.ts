export type ErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 409
  | 410
  | 413
  | 415
  | 416
  | 422
  | 429
  | 500
  | 502
  | 503

interface Common {
  status: ErrorStatus
  /** What a client can do, as one sentence of the documentation. */
  help: string
  /** For Retry-After, where it is always the same. Where it varies it is the fact `retry_after_seconds`. */
  retry_after_seconds?: number
  /** The form of `detail` in the body where it is not a string. Contract: Errors. */
  shape?: 'object' | 'faults'
  /** The contract gives the sentence literally, so it keeps its form. */
  literal?: true
  /** The input field at fault, where it is always the same. Where it varies it is the fact `param`. */
  param?: string
}

export interface FactsEntry<Facts> extends Common {
  detail: (facts: Facts) => string
  /** Facts for the documentation and tests. */
  example: Facts
}

/** An error with a fixed sentence, or with one that is made from facts. */
export type ErrorEntry =
  | (Common & { detail: string })
  | (Common & { detail: (facts: never) => string; example: object })

/** Defines an error whose sentence is made from facts: their type is that of the parameter of `detail`. */
export function withFacts<Facts extends object>(
  entry: Common & { detail: (facts: Facts) => string; example: NoInfer<Facts> },
): FactsEntry<Facts> {
  return entry
}

/** The fact that becomes `param` of the body: the path of the input field at fault, such as `params.crf`. */
export interface AtFault {
  param?: string | undefined
}

/** A name that does not exist. */
export interface Misspelled {
  /** The known name that was probably meant. */
  suggestion?: string | undefined
}

/** The fact that becomes the Retry-After header. */
export interface Wait {
  retry_after_seconds: number
}

/** Where the input is invalid and what would be valid. Contract: Errors, Status 422. */
export interface InputFault {
  loc: (string | number)[]
  msg: string
  type: string
}
