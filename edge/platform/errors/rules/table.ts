import { ACCOUNT_ERRORS } from './accounts.ts'
import { ADMINISTRATION_ERRORS } from './administration.ts'
import type { ErrorEntry } from './entry.ts'
import { JOB_ERRORS } from './jobs.ts'
import { MONEY_ERRORS } from './money.ts'
import { REQUEST_ERRORS } from './requests.ts'
import { SERVICE_ERRORS } from './services.ts'
import { UPLOAD_ERRORS } from './uploads.ts'

/** The errors grouped by area, in the order of the documentation. */
export const ERROR_AREAS: readonly [string, Record<string, ErrorEntry>][] = [
  ['All endpoints', REQUEST_ERRORS],
  ['Accounts', ACCOUNT_ERRORS],
  ['Jobs', JOB_ERRORS],
  ['Uploads', UPLOAD_ERRORS],
  ['Orders and refunds', MONEY_ERRORS],
  ['Other services', SERVICE_ERRORS],
  ['Administration', ADMINISTRATION_ERRORS],
]

/** Every error that the service can return, by its stable code. Contract: Errors. */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCOUNT_ERRORS,
  ...JOB_ERRORS,
  ...UPLOAD_ERRORS,
  ...MONEY_ERRORS,
  ...SERVICE_ERRORS,
  ...ADMINISTRATION_ERRORS,
} satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** All error codes, for schemas and the documentation. */
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]

/** The facts from which a code's sentence is built; undefined if the sentence is fixed. */
export type FactsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  detail: (facts: infer Facts) => string
}
  ? Facts
  : undefined

/** An error as returned by a rule. */
export type Refusal<Code extends ErrorCode = ErrorCode> = {
  [One in Code]: FactsOf<One> extends undefined ? { code: One } : { code: One; facts: FactsOf<One> }
}[Code]

/** Returns the sentence of an error. */
export function sentenceOf({ code, ...rest }: Refusal): string {
  const { detail } = ERRORS[code]
  if (typeof detail === 'string') return detail
  const { facts } = rest as { facts: never }
  return detail(facts)
}

/** Returns an error's sentence with its example facts, for the documentation. */
export function exampleSentence(code: ErrorCode): string {
  const entry: ErrorEntry = ERRORS[code]
  return 'example' in entry ? entry.detail(entry.example as never) : entry.detail
}
