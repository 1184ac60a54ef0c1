import { type Locale, type Texts, textIn, writeTexts } from '../../../../shared/text/texts.ts'
import { DELETION_ERRORS } from './account-deletion.ts'
import { ACCOUNT_ERRORS } from './accounts.ts'
import { ADMINISTRATION_ERRORS } from './administration.ts'
import type { ErrorEntry } from './entry.ts'
import { IDENTITY_ERRORS } from './identity.ts'
import { JOB_ERRORS } from './jobs.ts'
import { MONEY_ERRORS } from './money.ts'
import { OPERATION_ERRORS } from './operations.ts'
import { REFUND_ERRORS } from './refunds.ts'
import { REQUEST_ERRORS } from './requests.ts'
import { SERVICE_ERRORS } from './services.ts'
import { UPLOAD_LINK_ERRORS } from './upload-links.ts'
import { UPLOAD_ERRORS } from './uploads.ts'

/** The errors grouped by area, in the order of the documentation. */
export const ERROR_AREAS: readonly [string, Record<string, ErrorEntry>][] = [
  ['All endpoints', REQUEST_ERRORS],
  ['Accounts', { ...ACCOUNT_ERRORS, ...DELETION_ERRORS, ...IDENTITY_ERRORS }],
  ['Jobs', { ...OPERATION_ERRORS, ...JOB_ERRORS }],
  ['Uploads', { ...UPLOAD_ERRORS, ...UPLOAD_LINK_ERRORS }],
  ['Orders and refunds', { ...MONEY_ERRORS, ...REFUND_ERRORS }],
  ['Other services', SERVICE_ERRORS],
  ['Administration', ADMINISTRATION_ERRORS],
]

/** Every error that the service can return, by its stable code. Contract: Errors. */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCOUNT_ERRORS,
  ...DELETION_ERRORS,
  ...IDENTITY_ERRORS,
  ...OPERATION_ERRORS,
  ...JOB_ERRORS,
  ...UPLOAD_ERRORS,
  ...UPLOAD_LINK_ERRORS,
  ...MONEY_ERRORS,
  ...REFUND_ERRORS,
  ...SERVICE_ERRORS,
  ...ADMINISTRATION_ERRORS,
} satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** All error codes, for schemas and the documentation. */
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]

/** The facts from which a code's sentence is built; undefined if the sentence is fixed. */
export type FactsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  detail: { en: (facts: infer Facts) => string }
}
  ? Facts
  : undefined

/** An error as returned by a rule. */
export type Refusal<Code extends ErrorCode = ErrorCode> = {
  [One in Code]: FactsOf<One> extends undefined ? { code: One } : { code: One; facts: FactsOf<One> }
}[Code]

/** Returns the sentence of an error. */
export function sentenceOf({ code, ...rest }: Refusal, locale: Locale = 'en'): string {
  const { facts } = rest as { facts?: unknown }
  return textIn(locale, ERRORS[code].detail, facts)
}

/** Returns the sentence of an error in every language. */
export function sentencesOf(refusal: Refusal): Texts {
  return writeTexts((locale) => sentenceOf(refusal, locale))
}

/** Returns an error's sentence and help with its example facts, for the documentation. */
export function exampleOf(code: ErrorCode, locale: Locale = 'en'): { detail: string; help: string } {
  const entry: ErrorEntry = ERRORS[code]
  const facts = 'example' in entry ? entry.example : undefined
  return { detail: textIn(locale, entry.detail, facts), help: textIn(locale, entry.help, facts) }
}
