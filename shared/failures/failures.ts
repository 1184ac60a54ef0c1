import type { ErrorCode } from '../protocol/job-report.ts'
import { fillTexts, type Locale, type Texts, textIn } from '../text/texts.ts'
import type { FailureEntry } from './entry.ts'
import { IMAGE_FORMAT_FAILURES } from './image-formats.ts'
import { IMAGE_FAILURES } from './images.ts'
import { JOB_FAILURES } from './jobs.ts'
import { LINK_FAILURES } from './links.ts'
import { MEDIA_FAILURES } from './media.ts'
import { MEDIA_LIMIT_FAILURES } from './media-limits.ts'
import { METADATA_FAILURES } from './metadata.ts'
import { TRANSFER_FAILURES } from './transfers.ts'

/** All reasons that have a sentence in every language, by their names. */
export const FAILURES = {
  ...JOB_FAILURES,
  ...MEDIA_FAILURES,
  ...MEDIA_LIMIT_FAILURES,
  ...IMAGE_FAILURES,
  ...IMAGE_FORMAT_FAILURES,
  ...METADATA_FAILURES,
  ...LINK_FAILURES,
  ...TRANSFER_FAILURES,
} as const satisfies Record<string, FailureEntry>

export type FailureName = keyof typeof FAILURES

/** All names, for schemas. */
export const FAILURE_NAMES = Object.keys(FAILURES) as [FailureName, ...FailureName[]]

/** The facts from which the sentence of a failure is built; undefined if the sentence is fixed. */
export type FactsOf<Name extends FailureName> = (typeof FAILURES)[Name]['text'] extends {
  en: (facts: infer Facts) => string
}
  ? Facts
  : undefined

/** Why a job failed, as fleet and edge exchange and store it. A newer fleet can send an unknown name. */
export interface FailureReason {
  name: string
  facts: Record<string, unknown>
}

/** Returns the public error code of a failure. */
export function errorCodeOf(name: FailureName): ErrorCode {
  return FAILURES[name].error_code
}

/** A failure of this version, whose sentence is certain. */
export interface KnownFailure extends FailureReason {
  name: FailureName
}

/** Returns the sentence of a failure in every language. */
export function failureTexts({ name, facts }: KnownFailure): Texts {
  return fillTexts(FAILURES[name].text, facts)
}

/** Returns the sentence of a failure; null if its name or its facts are not those of this version. */
export function failureText({ name, facts }: FailureReason, locale: Locale): string | null {
  if (!Object.hasOwn(FAILURES, name)) return null
  const { text } = FAILURES[name as FailureName]
  try {
    return textIn(locale, text, facts)
  } catch {
    return null
  }
}
