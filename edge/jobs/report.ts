import type { JobReport } from '../../shared/protocol/job-report.ts'
import { ApiError } from '../platform/errors/api-error.ts'

/** A report of the fleet whose signature was found good. */
export interface Report<Content extends JobReport = JobReport> {
  /** webhook-id: the same for every sending of one report. */
  id: string
  /** SHA-256 of the body. */
  digest: string
  callback: Content
}

export type WorkReport = Report<Exclude<JobReport, { type: 'job.finished' }>>
export type FinishReport = Report<Extract<JobReport, { type: 'job.finished' }>>

/** The job is over or a later attempt has it: what this attempt uploaded is nobody's. */
export class LateReport extends ApiError<'report_too_late'> {
  constructor(verdict: 'over' | 'superseded') {
    super('report_too_late', { verdict })
  }
}

/** @returns true when the same report was taken before. Throws 409 when it was another one. */
export function isRepeated(known: { digest: string } | undefined, report: Report): boolean {
  if (known !== undefined && known.digest !== report.digest) {
    throw new ApiError('report_id_reused')
  }
  return known !== undefined
}
