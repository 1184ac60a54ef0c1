import {
  errorCodeOf,
  type FactsOf,
  type FailureName,
  failureTexts,
  type KnownFailure,
} from '../../shared/failures/failures.ts'
import type { PlanRefusal } from '../../shared/planning/operation.ts'
import type { ErrorCode } from '../../shared/protocol/job-report.ts'

/**
 * Thrown if the input file or the parameters are at fault: the job fails immediately and is never retried. Users
 * see the message. Every other error is internal and retried.
 */
export class JobFailure extends Error {
  readonly error_code: ErrorCode
  /** What the sentence is built from, so that the edge can write it in the caller's language. */
  readonly reason: KnownFailure

  constructor(reason: KnownFailure) {
    super(failureTexts(reason).en)
    this.name = 'JobFailure'
    this.error_code = errorCodeOf(reason.name)
    this.reason = reason
  }
}

type Facts<Name extends FailureName> =
  FactsOf<Name> extends undefined ? [facts?: undefined] : [facts: FactsOf<Name>]

/** Creates a failure from its name and the facts of its sentence. */
export function failWith<Name extends FailureName>(name: Name, ...[facts]: Facts<Name>): JobFailure {
  return new JobFailure({ name, facts: { ...(facts as object | undefined) } })
}

/** Reasons for ending running work early without a report. */
export type StopReason = 'cancelled' | 'superseded' | 'shutdown'

/** Ends an attempt that has not failed: its job goes on elsewhere, or is no longer needed. */
export class PlannedEnd extends Error {}

/** Abort reason for work that has not failed but is no longer needed. */
export class WorkStopped extends PlannedEnd {
  readonly why: StopReason

  constructor(why: StopReason) {
    super(`the work was stopped: ${why}`)
    this.name = 'WorkStopped'
    this.why = why
  }
}

export function timeLimitFailure(): JobFailure {
  return failWith('time_limit')
}

/** What users see after an internal error. It reveals no details. */
export function internalFailure(): JobFailure {
  return failWith('internal')
}

/** Converts a refused plan to the job's error, which starts with the name of the parameter. */
export function refusalFailure({ refused: { field, message } }: PlanRefusal): JobFailure {
  return failWith('parameter', { field, message })
}
