import { type ApiError, toError } from './api-error.ts'
import type { ErrorEntry } from './rules/entry.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, type Refusal } from './rules/table.ts'

/** An example of an error response, as OpenAPI describes examples. */
export interface ErrorExample {
  summary: string
  value: object
}

const REQUEST_ID = '7d1f4a52-93c6-4c0e-8a3b-5f2d9e6b1c40'
const DOCS = 'https://media.example.com/docs/errors'

/** Returns the body of an error as the service sends it, in English, with example ids and addresses. */
export function showError(error: ApiError): ErrorExample {
  const { code } = error
  const value = { ...error.describe('en'), doc_url: `${DOCS}#${code}`, request_id: REQUEST_ID }
  return { summary: code, value }
}

/** Returns the example of a code, from the facts of the error table. */
export function errorExample(code: ErrorCode): ErrorExample {
  const entry: ErrorEntry = ERRORS[code]
  const facts = 'example' in entry ? entry.example : undefined
  return showError(toError({ code, facts } as Refusal))
}

/**
 * Returns the examples of the codes that an OpenAPI document references, by their names in it, such as
 * "JobNotFoundError".
 */
export function errorExamples(isReferenced: (reference: string) => boolean): Record<string, ErrorExample> {
  const codes = ERROR_CODES.filter((code) => isReferenced(errorExampleReference(code)))
  return Object.fromEntries(codes.map((code) => [nameOf(code), errorExample(code)]))
}

/** Returns the reference to the example of a code in the OpenAPI document. */
export function errorExampleReference(code: ErrorCode): string {
  return `#/components/examples/${nameOf(code)}`
}

function nameOf(code: ErrorCode): string {
  const words = code.split('_').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Error`
}
