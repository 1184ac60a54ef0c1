import type { PlanRefusal } from '../../shared/planning/operation.ts'
import type { ErrorCode } from '../../shared/protocol/job-report.ts'

/**
 * Thrown if the input file or the parameters are at fault: the job fails immediately and is never retried. Users
 * see the message. Every other error is internal and retried.
 */
export class JobFailure extends Error {
  readonly error_code: ErrorCode

  constructor(error_code: ErrorCode, sentence: string) {
    super(sentence)
    this.name = 'JobFailure'
    this.error_code = error_code
  }
}

/** Reasons for ending running work early without a report. */
export type StopReason = 'cancelled' | 'superseded' | 'shutdown'

/** Abort reason for work that has not failed but is no longer needed. */
export class WorkStopped extends Error {
  readonly why: StopReason

  constructor(why: StopReason) {
    super(`the work was stopped: ${why}`)
    this.name = 'WorkStopped'
    this.why = why
  }
}

export function timeLimitFailure(): JobFailure {
  return new JobFailure(
    'time_limit',
    'Processing exceeds the time limit of one job. Use a shorter or smaller file, or fewer operations.',
  )
}

/** The message that users see after an internal error. It reveals no details. */
export const INTERNAL_ERROR_MESSAGE =
  'The file could not be processed because of a problem on our side. Try again later.'

/** Converts a refused plan to the job's error, which starts with the name of the parameter. */
export function refusalFailure({ refused: { field, message } }: PlanRefusal): JobFailure {
  const { en } = message
  const named = field === null || en.startsWith(field) ? en : `${field}: ${en}`
  return new JobFailure('parameter_refused', named.endsWith('.') ? named : `${named}.`)
}
