import type { JobReport } from '../../shared/protocol/job-report.ts'
import { ApiError } from '../platform/errors/api-error.ts'

/** A fleet report with a verified signature. */
export interface Report<Content extends JobReport = JobReport> {
  /** The webhook-id header, which is the same in every delivery of a report. */
  id: string
  /** SHA-256 of the body. */
  digest: string
  body: Content
}

export type WorkReport = Report<Exclude<JobReport, { type: 'job.finished' }>>
export type FinishReport = Report<Extract<JobReport, { type: 'job.finished' }>>

/** Thrown if the job is finished or a later attempt owns it. Nothing uses the files that this attempt uploaded. */
export class LateReport extends ApiError<'report_too_late'> {
  constructor(verdict: 'over' | 'superseded') {
    super('report_too_late', { verdict })
  }
}

/** Checks whether the same report was accepted before. Throws 409 if its id was used with different content. */
export function isRepeated(known: { digest: string } | undefined, report: Report): boolean {
  if (known !== undefined && known.digest !== report.digest) {
    throw new ApiError('report_id_reused')
  }
  return known !== undefined
}
