import type { Texts, TextsFrom } from '../../../../shared/text/texts.ts'

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
  /** The value of Retry-After if it is always the same. If it varies, it is the fact `retry_after_seconds`. */
  retry_after_seconds?: number
  /** The type of `detail` in the body if it is not a string. Contract: Errors. */
  shape?: 'object' | 'faults'
  /** The contract quotes the English sentence verbatim, so its wording must not change. */
  literal?: true
  /** The invalid input field if it is always the same. If it varies, it is the fact `param`. */
  param?: string
  /** Facts that are also fields of the body. */
  fields?: readonly ('needed' | 'available' | 'amount_cents' | 'currency' | 'refunds' | 'choices')[]
}

interface FixedEntry extends Common {
  detail: Texts
  /** Advice for a client, as one sentence. */
  help: Texts
}

export interface FactsEntry<Facts> extends Common {
  detail: TextsFrom<Facts>
  help: Texts | TextsFrom<Facts>
  /** Example facts for the documentation and tests. */
  example: Facts
}

/** An error with a fixed sentence or one built from facts. */
export type ErrorEntry =
  | FixedEntry
  | (Common & { detail: TextsFrom<never>; help: Texts | TextsFrom<never>; example: object })

/** Defines an error whose sentence is built from facts. The parameter type of `detail.en` is the type of the facts. */
export function withFacts<Facts extends object>(
  entry: Common & {
    detail: TextsFrom<Facts>
    help: Texts | TextsFrom<NoInfer<Facts>>
    example: NoInfer<Facts>
  },
): FactsEntry<Facts> {
  return entry
}

/** The fact that becomes `param` in the body: the path of the invalid input field, such as `params.crf`. */
export interface AtFault {
  param?: string | undefined
}

/** A name that does not exist. */
export interface Misspelled {
  /** The known name that the caller probably meant. */
  suggestion?: string | undefined
}

/** The fact that becomes the Retry-After header. */
export interface Wait {
  retry_after_seconds: number
}

/** The place where the input is invalid and what would be valid. Contract: Errors, Status 422. */
export interface InputFault {
  loc: (string | number)[]
  msg: Texts
  type: string
}
