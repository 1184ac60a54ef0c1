import type { JobReport } from '../../shared/protocol/job-report.ts'
import type { Deps } from '../deps.ts'
import { rememberCallbackStatement } from '../payments/queries.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { finishJob } from './finish.ts'
import { loadJobAndReport } from './load.ts'
import { moveJobStatements, progressStatement, type StoredJob } from './queries.ts'
import { judgeReport } from './rules/states.ts'

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

/**
 * Takes a report, each once. Answers whether the attempt should go on.
 * Throws 404 for an unknown job, 409 for another content under a known id, and LateReport.
 */
export async function takeReport(deps: Deps, report: Report): Promise<{ continue: boolean }> {
  if (isFinish(report)) {
    await finishJob(deps, report)
    return { continue: false }
  }
  return untilCommitted(() => takeWorkReport(deps, report as WorkReport))
}

function isFinish(report: Report): report is FinishReport {
  return report.callback.type === 'job.finished'
}

/** @returns true when the same report was taken before. Throws 409 when it was another one. */
export function isRepeated(known: { digest: string } | undefined, report: Report): boolean {
  if (known !== undefined && known.digest !== report.digest) {
    throw new ApiError('report_id_reused')
  }
  return known !== undefined
}

async function takeWorkReport(deps: Deps, report: WorkReport): Promise<{ continue: boolean }> {
  const { job, known } = await loadJobAndReport(deps, report.callback.job_id, report.id)
  const verdict = judgeReport(job, report.callback.fence)
  if (isRepeated(known, report) || verdict !== 'take') return { continue: verdict === 'take' }
  const now = deps.clock.now()
  await commit(deps.db, [
    ...workStatements(deps, job, report.callback, now),
    rememberCallbackStatement(deps.db, report.id, report.digest, now),
  ])
  return { continue: true }
}

/** A sign of work: the first moves the job on; every one tells how far it is. */
function workStatements(
  { db }: Deps,
  job: StoredJob,
  callback: WorkReport['callback'],
  now: number,
): Statement[] {
  const { fence } = callback
  const progress = callback.type === 'job.progress' ? callback.progress : 0
  if (job.status !== 'queued') return [progressStatement(db, job.id, { fence, progress }, now)]
  const startedAt = callback.type === 'job.started' ? Date.parse(callback.at) : now
  return moveJobStatements(db, job, 'processing', { fence, progress, startedAt }, now)
}
