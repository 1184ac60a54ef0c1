import { type FailureReason, failureText } from '../../../shared/failures/failures.ts'
import type { Locale } from '../../../shared/text/texts.ts'

/** The error of a stored job: the English sentence, and what it is built from. */
export interface StoredError {
  error: string | null
  failure: FailureReason | null
}

/**
 * Returns the error of a job in a language. Jobs of older fleets have an English sentence only.
 * Contract: Errors, Languages.
 */
export function jobErrorText({ error, failure }: StoredError, locale: Locale): string | null {
  if (failure === null || locale === 'en') return error
  return failureText(failure, locale) ?? error
}
