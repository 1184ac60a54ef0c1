import type { PlanRefusal } from '../../shared/planning/operation.ts'
import type { ErrorCode } from '../../shared/protocol/job-report.ts'

/**
 * The customer's file or parameters are at fault: reported as failed at once and never retried.
 * The message is read by a person. Every other error counts as ours and is retried.
 */
export class JobFailure extends Error {
  readonly error_code: ErrorCode

  constructor(error_code: ErrorCode, sentence: string) {
    super(sentence)
    this.name = 'JobFailure'
    this.error_code = error_code
  }
}

/** Why running work ends early without a report of its own. */
export type StopReason = 'cancelled' | 'superseded' | 'shutdown'

/** The reason of an abort signal: nothing failed, the work is not wanted here any more. */
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

/** What a customer reads when the fault is ours; says nothing about the inside. */
export const INTERNAL_ERROR_MESSAGE =
  'The file could not be processed because of a problem on our side. Try again later.'

/** A refused plan as the sentence that the job fails with: it begins with the parameter at fault. */
export function refusalFailure({ refused: { field, message } }: PlanRefusal): JobFailure {
  const named = field === null || message.startsWith(field) ? message : `${field}: ${message}`
  return new JobFailure('parameter_refused', named.endsWith('.') ? named : `${named}.`)
}
