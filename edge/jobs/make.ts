import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Limits } from '../accounts/rules/limits.ts'
import type { Tier } from '../accounts/rules/tier.ts'
import type { Deps } from '../deps.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { makeId } from '../platform/database/ids.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { useUploadsStatements } from '../uploads/queries.ts'
import { resultIdsOf, uploadKeysOf } from '../uploads/rules/addresses.ts'
import type { JobPlan } from './make-plans.ts'
import { insertJobsStatements, keepResultsStatements, newJob, type StoredJob } from './queries.ts'
import { type Labels, labelsOf } from './rules/labels.ts'
import type { JobOutput } from './rules/output.ts'
import { queuePriority } from './rules/queue-priority.ts'
import { keepingOf } from './rules/retention.ts'
import { inputSecondsMax } from './rules/submission.ts'
import { type UnpaidHour, unpaidWaitSeconds } from './rules/unpaid-work.ts'

/** Operations whose results have a shorter retention. Contract: Limits, Retention. */
const BOUNDED_OPERATIONS = OPERATIONS.filter(({ result_hours_max }) => result_hours_max !== undefined).map(
  ({ service, key }) => `${service}/${key}`,
)

/** A requested job: its plan and its params as submitted. */
export interface RequestedJob {
  plan: JobPlan
  params: Record<string, unknown>
  /** Headers for the import of its file, encrypted; see add-headers.ts. */
  sealedHeaders?: string
}

/** Input shared by all jobs of one submission. */
export interface Together {
  repeatOf?: string | null
  webhookUrl?: string | null
  batchId?: string | null
  labels?: Labels
  output?: JobOutput | null
  traceparent?: string
  /** Runs on every attempt, while the facts are loading; throws if the jobs may no longer be accepted. */
  recheck?(): Promise<void>
  /** Returns extra statements for the commit that accepts the jobs. */
  extraStatements(jobs: StoredJob[], now: number): Statement[]
}

type Owned = Pick<
  Parameters<typeof newJob>[0],
  'accountId' | 'source' | 'estimatedCost' | 'tariff' | 'createdAt'
> &
  Partial<Pick<StoredJob, 'keyId' | 'anonymousKey' | 'anonymousBlock' | 'anonymousNumber' | 'ownerKey'>> & {
    position: number
  }

/** Builds the row of one job in a submission. */
export function makeJob(
  { params, sealedHeaders }: RequestedJob,
  {
    repeatOf = null,
    webhookUrl = null,
    batchId = null,
    output = null,
    labels = labelsOf({}),
    traceparent,
  }: Together,
  made: Dispatch,
  { position, ...owned }: Owned,
): StoredJob {
  const exported = output === null ? {} : { exports: true }
  const dispatch = {
    ...made,
    ...exported,
    account_key: accountKey(owned),
    account_id: owned.accountId,
    traceparent,
  }
  return newJob({
    ...owned,
    ...labels,
    id: dispatch.job_id,
    resultId: dispatch.result_id ?? null,
    repeatOf,
    serviceSlug: dispatch.service_slug,
    operationKey: dispatch.operation_key,
    params,
    webhookUrl,
    output,
    ...(sealedHeaders === undefined ? {} : { sealedHeaders }),
    dispatch,
    batchId,
    batchPosition: batchId === null ? null : position,
  })
}

/** Returns the key under which the caller's jobs take turns in the fleet. */
function accountKey({ accountId, anonymousKey }: Pick<Owned, 'accountId' | 'anonymousKey'>): string {
  return accountId === null ? `anonymous-${anonymousKey ?? ''}` : `account-${accountId}`
}

/**
 * Returns statements that insert jobs and extend the retention of their sources.
 * @param lives_ms retention of the caller's files.
 */
export function acceptStatements(
  { db }: Deps,
  jobs: StoredJob[],
  requested: RequestedJob[],
  { extraStatements }: Together,
  { now, lives_ms }: { now: number; lives_ms: number },
): Statement[] {
  const kept = keepingOf(lives_ms, now)
  const uploads = requested.map(({ plan }) => uploadKeysOf(plan))
  const results = [...new Set(requested.flatMap(({ plan }) => resultIdsOf(plan)))]
  return [
    ...insertJobsStatements(db, jobs),
    ...useUploadsStatements(db, uploads, kept),
    ...keepResultsStatements(db, results, kept, BOUNDED_OPERATIONS),
    ...extraStatements(jobs, now),
  ]
}

/**
 * Throws 429 if the caller has too many open jobs, or 422 if the request exceeds the limit by itself, so waiting
 * would not help. Two concurrent submissions cannot both rely on the same count, because each advances the ledger
 * or the anonymous job number. Contract: Limits, Jobs in flight.
 */
export function requireRoom(open: number, requested: number, { in_flight_max }: Limits): void {
  if (open + requested <= in_flight_max) return
  if (requested > in_flight_max && requested > 1) {
    const fault = faultAt(['body'], 'batch_too_large', { files: requested, in_flight_max })
    throw new ApiError('validation_failed', { faults: [fault] })
  }
  throw new ApiError('too_many_jobs_in_flight', { open, in_flight_max })
}

/** Throws 429 if too much of the caller's recent work was unpaid; see rules/unpaid-work.ts. */
export function requirePaidWork(
  hours: readonly UnpaidHour[],
  settings: Settings,
  tier: Tier,
  now: number,
): void {
  const minutes_max = settings[`unpaid_minutes_per_day_${tier}`]
  const retry_after_seconds = unpaidWaitSeconds(hours, minutes_max, now)
  if (retry_after_seconds === null) return
  throw new ApiError('too_much_unpaid_work', { minutes_max, retry_after_seconds })
}

/**
 * Builds the dispatch of a job.
 * @param open number of the caller's open jobs, including earlier jobs in the same submission.
 */
export function makeDispatch(
  db: Database,
  plan: JobPlan,
  settings: Settings,
  tier: Tier,
  limits: Limits,
  open: number,
): Dispatch {
  return {
    ...plan,
    job_id: makeId(db),
    result_id: makeId(db),
    dispatch: 1,
    hold_ms: limits.hold_ms,
    max_input_seconds: inputSecondsMax(settings, tier),
    tier,
    priority: queuePriority(limits.priority, open),
  }
}
