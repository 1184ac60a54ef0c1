import type { ErrorCode } from '../protocol/job-report.ts'
import type { Texts, TextsFrom } from '../text/texts.ts'

/** Why a job failed: its public error code, and its sentence in every language. */
export interface FailureEntry {
  error_code: ErrorCode
  text: Texts | TextsFrom<never>
}
