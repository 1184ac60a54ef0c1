import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { finishJob } from './finish.ts'
import { loadJobAndReport } from './load.ts'
import { progressStatement, type StoredJob, transitionJobStatements } from './queries.ts'
import { type FinishReport, isRepeated, type Report, type WorkReport } from './report.ts'
import { rememberCallbackStatement } from './report-queries.ts'
import { judgeReport } from './rules/states.ts'

/**
 * Accepts a report once and returns whether the attempt should continue. Throws 404 for an unknown job, 409 if the
 * report id was already used with different content, and LateReport if a final report arrives too late.
 */
export async function acceptReport(deps: Deps, report: Report): Promise<{ continue: boolean }> {
  if (isFinish(report)) {
    await finishJob(deps, report)
    return { continue: false }
  }
  return acceptWorkReport(deps, report as WorkReport)
}

function isFinish(report: Report): report is FinishReport {
  return report.body.type === 'job.finished'
}

function acceptWorkReport(deps: Deps, report: WorkReport): Promise<{ continue: boolean }> {
  return unitOfWork(deps, {
    load: () => loadJobAndReport(deps, report.body.job_id, report.id),
    decide: ({ job, known }, now) => {
      const verdict = judgeReport(job, report.body.fence)
      if (isRepeated(known, report) || verdict !== 'accept')
        return { answer: { continue: verdict === 'accept' } }
      return {
        statements: [
          ...workStatements(deps, job, report.body, now),
          rememberCallbackStatement(deps.db, report.id, report.digest, now),
        ],
        answer: { continue: true },
      }
    },
  })
}

/** Records progress; the first report of an attempt also starts the job. */
function workStatements({ db }: Deps, job: StoredJob, body: WorkReport['body'], now: number): Statement[] {
  const { fence } = body
  const progress = body.type === 'job.progress' ? body.progress : 0
  if (job.status !== 'queued') return [progressStatement(db, job.id, { fence, progress }, now)]
  const startedAt = body.type === 'job.started' ? Date.parse(body.at) : now
  return transitionJobStatements(db, job, 'processing', { fence, progress, startedAt }, now)
}
