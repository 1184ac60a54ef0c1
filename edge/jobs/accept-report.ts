import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { acknowledgeStatement } from '../platform/outbox/queries.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { dispatchEffectId } from './dispatch.ts'
import { finishJob } from './finish.ts'
import { loadJobAndReport } from './load.ts'
import { attemptStatement, type StoredJob, transitionJobStatements } from './queries.ts'
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
    await deps.progress.forget([report.body.job_id])
    return { continue: false }
  }
  return acceptWorkReport(deps, report as WorkReport)
}

function isFinish(report: Report): report is FinishReport {
  return report.body.type === 'job.finished'
}

/**
 * Accepts a report of a running attempt. Progress does not touch the database, unless the progress store does not know
 * that the attempt is still the current one.
 */
async function acceptWorkReport(deps: Deps, report: WorkReport): Promise<{ continue: boolean }> {
  const { body } = report
  const { job_id, fence } = body
  const beat = { fence, progress: body.type === 'job.progress' ? body.progress : 0 }
  if (body.type === 'job.progress') {
    const verdict = await deps.progress.beat(job_id, beat, deps.clock.now())
    if (verdict !== 'unknown') return { continue: verdict === 'accept' }
  }
  const answer = await confirmAttempt(deps, report)
  if (answer.continue) await deps.progress.confirm(job_id, beat, deps.clock.now())
  return answer
}

/** Checks an attempt against the database. Its first report starts the job, or replaces an earlier attempt. */
function confirmAttempt(deps: Deps, report: WorkReport): Promise<{ continue: boolean }> {
  return unitOfWork(deps, {
    load: () => loadJobAndReport(deps, report.body.job_id, report.id),
    decide: ({ job, known }, now) => {
      const verdict = judgeReport(job, report.body.fence)
      if (isRepeated(known, report) || verdict !== 'accept')
        return { answer: { continue: verdict === 'accept' } }
      const statements = workStatements(deps, job, report.body, now)
      if (statements.length === 0) return { answer: { continue: true } }
      return {
        statements: [...statements, rememberCallbackStatement(deps.db, report.id, report.digest, now)],
        answer: { continue: true },
      }
    },
  })
}

/** Starts the job or records a new attempt. The dispatch has arrived, so the outbox no longer has to repeat it. */
function workStatements({ db }: Deps, job: StoredJob, body: WorkReport['body'], now: number): Statement[] {
  const { fence } = body
  if (job.status === 'queued') {
    const startedAt = body.type === 'job.started' ? Date.parse(body.at) : now
    return [
      ...transitionJobStatements(db, job, 'processing', { fence, progress: 0, startedAt }, now),
      acknowledgeStatement(db, dispatchEffectId(job.dispatch)),
    ]
  }
  return fence > job.fence ? [attemptStatement(db, job.id, fence, now)] : []
}
