import { findOperation } from '../../shared/operations/index.ts'
import type { ServiceSlug } from '../../shared/planning/operation.ts'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { announceJobEnd } from '../batches/announce-end.ts'
import { andRefundOthers, findStoppedBatch, stopByFile } from '../batches/stop-by-file.ts'
import { changeCredits } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { acknowledgeStatement } from '../platform/outbox/queries.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { noteLengthStatement } from '../uploads/queries.ts'
import { dispatchEffectId } from './dispatch.ts'
import { loadJobAndReport, loadJobWithCredits } from './load.ts'
import { measureJobStatement } from './processing-rate-queries.ts'
import { type StoredJob, type TransitionFields, transitionJobStatements } from './queries.ts'
import { type FinishReport, isRepeated, LateReport } from './report.ts'
import { rememberCallbackStatement } from './report-queries.ts'
import { sizeOf } from './rules/estimate.ts'
import { requireExport } from './rules/output.ts'
import { settleCost } from './rules/settlement.ts'
import { judgeReport } from './rules/states.ts'
import type { StoredResult } from './rules/stored-result.ts'
import { resultLifeMs } from './rules/submission.ts'

/**
 * Finishes a job according to the fleet's report: charges the rest of the time-based price, or refunds everything.
 * Writes the job, ledger, and report id in one commit. Throws like acceptReport. Contract: Jobs, Job states;
 * Credits, Time-based tariff.
 */
export async function finishJob(deps: Deps, received: FinishReport): Promise<void> {
  const { id } = received
  const { job_id } = received.body
  const [settings, accountId] = await Promise.all([
    loadSettings(deps.db, deps.clock.now()),
    findPayer(deps, received),
  ])
  if (accountId === null) return finishAnonymousJob(deps, received, settings)
  return changeCredits(deps, accountId, {
    load: async (grants_max) => {
      const facts = await loadJobWithCredits(deps, accountId, { id: job_id, reportId: id, grants_max })
      return { ...facts, ...(await readOutcome(deps, facts.job, received)) }
    },
    spendsMax: ({ job, report }) => (report.body.outcome.status === 'done' ? job.tariff.max_credits : 0),
    decide: (facts, settled, now) => {
      const { report } = facts
      const { body } = report
      if (isAlreadyFinished(facts.job, facts.known, report)) return { answer: undefined }
      requireOpen(facts.job, body.fence)
      const { stopped, allocations, subscribers } = facts
      const { change, cost } = settleCost(settled, { ...facts.job, allocations }, body.outcome, now)
      // Stopping a batch already announces its end.
      const batch = stopped === null ? facts.batch : undefined
      const receivers = { subscribers, batch }
      const announcement = announceJobEnd(deps, facts.job, body.outcome.status, receivers, now)
      const statements = finishStatements(deps, facts.job, report, settings, cost, now)
      const stop = stopByFile(deps, stopped, now)
      return {
        change: andRefundOthers(change, stopped, now),
        statements: [...statements, ...announcement.statements, ...stop.statements],
        effects: [...announcement.effects, ...stop.effects],
        answer: undefined,
      }
    },
  })
}

/** Returns the account that pays for a job. Only older fleets do not report it. */
async function findPayer(deps: Deps, { id, body }: FinishReport): Promise<number | null> {
  if (body.account_id !== undefined) return body.account_id
  return (await loadJobAndReport(deps, body.job_id, id)).job.accountId
}

/** Completes a report by what the job requires, and finds the batch that the report stops. */
async function readOutcome(deps: Deps, job: StoredJob, received: FinishReport) {
  const body = { ...received.body, outcome: requireExport(job.output, received.body.outcome) }
  const report = { ...received, body }
  return { report, stopped: await findStoppedBatch(deps, job, report) }
}

/** Finishes an anonymous job, which has no account to charge. */
function finishAnonymousJob(deps: Deps, received: FinishReport, settings: Settings): Promise<void> {
  return unitOfWork(deps, {
    load: async () => {
      const { job, known } = await loadJobAndReport(deps, received.body.job_id, received.id)
      if (job.accountId !== null) throw new ApiError('job_not_found')
      return { job, known, ...(await readOutcome(deps, job, received)) }
    },
    decide: ({ job, known, report, stopped }, now) => {
      if (isAlreadyFinished(job, known, report)) return { answer: undefined }
      requireOpen(job, report.body.fence)
      const { statements, effects } = stopByFile(deps, stopped, now)
      return {
        statements: [...finishStatements(deps, job, report, settings, 0, now), ...statements],
        effects,
        answer: undefined,
      }
    },
  })
}

/**
 * Checks whether the report was already accepted. Also returns true if the report id was pruned but the job shows
 * that this attempt ended it.
 */
function isAlreadyFinished(
  job: StoredJob,
  known: { digest: string } | undefined,
  report: FinishReport,
): boolean {
  const { fence, outcome } = report.body
  return isRepeated(known, report) || (job.status === outcome.status && job.fence === fence)
}

function requireOpen(job: StoredJob, fence: number): void {
  const verdict = judgeReport(job, fence)
  if (verdict !== 'accept') throw new LateReport(verdict)
}

function finishStatements(
  { db }: Deps,
  job: StoredJob,
  { id, digest, body }: FinishReport,
  settings: Settings,
  cost: number,
  now: number,
) {
  const fields = finishedFields(job, body, settings, cost, now)
  return [
    ...transitionJobStatements(db, job, body.outcome.status, fields, now),
    acknowledgeStatement(db, dispatchEffectId(job.dispatch)),
    rememberCallbackStatement(db, id, digest, now),
    ...noteLengthStatements(db, job, body.outcome),
    ...measureStatements(db, job, body.outcome),
  ]
}

/** Stores the length of the job's upload, for later quotes. */
function noteLengthStatements(db: Deps['db'], { dispatch }: StoredJob, outcome: Outcome): Statement[] {
  const seconds = outcome.status === 'done' ? (outcome.input?.duration_seconds ?? null) : null
  const { source } = dispatch
  return seconds === null || source.kind !== 'object' ? [] : [noteLengthStatement(db, source.key, seconds)]
}

/**
 * Measures jobs of one operation. Skips pipelines, whose times do not show the time of a single operation, and
 * exports, whose times depend on the customer's storage.
 */
function measureStatements(db: Deps['db'], job: StoredJob, outcome: Outcome): Statement[] {
  if (outcome.status !== 'done') return []
  const { input, typical_seconds, processing_seconds: seconds } = outcome
  if (input === undefined || typical_seconds === undefined) return []
  if (job.dispatch.pipeline.length > 0 || job.output !== null) return []
  return [measureJobStatement(db, job, { seconds, typical_seconds, size: sizeOf(input) })]
}

function finishedFields(
  job: StoredJob,
  { outcome, started_at, fence }: FinishReport['body'],
  settings: Settings,
  cost: number,
  now: number,
): TransitionFields {
  const seconds = outcome.processing_seconds
  const common = {
    fence,
    finalCost: cost,
    processingMs: seconds === null ? null : Math.round(seconds * 1000),
    startedAt: job.startedAt ?? Date.parse(started_at),
    finishedAt: now,
  }
  if (outcome.status === 'failed') {
    const { error, error_code: errorCode, reason: failure = null } = outcome
    return { ...common, error, errorCode, failure }
  }
  const { tier } = job.dispatch
  const result: StoredResult = { files: outcome.files, body: outcome.body }
  const operation = findOperation(job.serviceSlug as ServiceSlug, job.operationKey)
  const expiresAt = now + resultLifeMs(settings, tier, operation?.result_hours_max)
  return { ...common, progress: 100, result, expiresAt }
}
