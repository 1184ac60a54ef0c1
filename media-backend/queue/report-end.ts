import type { JobReport, Outcome } from '../../shared/protocol/job-report.ts'
import type { ReportQueue } from '../reports/report.ts'
import { internalFailure, type JobFailure } from '../runtime/failure.ts'
import { traced } from '../runtime/trace.ts'
import type { RunningAttempt } from './running-attempt.ts'

/** Hands the final report of a job to the queue of reports. */
export function reportEnd(attempt: RunningAttempt, outcome: Outcome, reports: ReportQueue): Promise<void> {
  return traced('report', {}, () => reports.deliver(finalReport(attempt, outcome)))
}

function finalReport(attempt: RunningAttempt, outcome: Outcome): JobReport {
  return {
    type: 'job.finished',
    job_id: attempt.job_id,
    fence: attempt.fence,
    ...(attempt.account_id === undefined ? {} : { account_id: attempt.account_id }),
    at: new Date().toISOString(),
    started_at: attempt.started_at.toISOString(),
    outcome,
  }
}

export function failedOutcome(
  { error_code, message, reason }: JobFailure,
  processing_seconds: number | null,
): Outcome {
  return { status: 'failed', processing_seconds, error: message, error_code, reason }
}

/**
 * Returns the outcome of a job whose last attempt ended with an internal error. Its time counts as unpaid work, because
 * a file may be what causes the error.
 */
export function internalOutcome(processing_seconds: number | undefined): Outcome {
  return failedOutcome(internalFailure(), processing_seconds ?? null)
}
