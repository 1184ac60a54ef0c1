import { type Job, type JobEvent, MediaError } from '../../../client/src/index.ts'
import { hasEnded, hasFiles } from '../../jobs/job-state.ts'
import type { Run, Upload } from './items.ts'
import { isSameOperation, type Operation } from './operation.ts'

/** A run with what decides whether it can be submitted. */
export interface Scheduled {
  key: string
  upload: Upload['status']
  run: Pick<Run, 'job' | 'error' | 'owner'>
}

/**
 * Returns the keys of the runs to submit now: those of the current user whose file is uploaded, as many as the limit
 * leaves room for.
 * @param owner account of the session, null for a visitor
 * @param submitting keys of runs that were submitted and have no answer yet
 * @param open_max how many runs may be open at the same time
 */
export function runsToSubmit(
  runs: readonly Scheduled[],
  owner: string | null,
  submitting: ReadonlySet<string>,
  open_max: number,
): string[] {
  const own = runs.filter(({ run }) => run.owner === owner)
  const open = own.filter(({ run: { job } }) => job !== null && !hasEnded(job)).length
  const ready = own.filter(({ key, upload, run: { job, error } }) => {
    return upload === 'done' && job === null && error === null && !submitting.has(key)
  })
  return ready.slice(0, Math.max(0, open_max - open - submitting.size)).map(({ key }) => key)
}

/** Checks whether a run is still to end: it waits for its submission, or its job goes on. */
export function isOpen({ job, error }: Pick<Run, 'job' | 'error'>): boolean {
  return error === null && (job === null || !hasEnded(job))
}

/** Checks whether a failed submission had no response, so that its job may exist. */
export function isUnanswered({ job, error }: Pick<Run, 'job' | 'error'>): boolean {
  return job === null && error instanceof MediaError && (error.status === 0 || error.status >= 500)
}

/** Checks whether the service gives the same answer, however often the same session asks. */
export function isRefusal(error: unknown): error is MediaError {
  if (!(error instanceof MediaError)) return false
  return error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status)
}

/** Checks whether not even a sign-in changes a refusal. */
export function isFinalRefusal(error: unknown): error is MediaError {
  return isRefusal(error) && error.status !== 401
}

/** Checks whether a run waits for its submission, which only its owner may cause. */
export function isHeld(run: Pick<Run, 'job' | 'error' | 'owner'>, owner: string | null): boolean {
  return run.job === null && run.error === null && run.owner !== owner
}

/** What "Start" does for an input: nothing while the same run is open, and nothing that is done already. */
export function findRepetition(
  runs: readonly Run[],
  operation: Operation,
  now_ms: number,
): 'open' | 'done' | null {
  const same = runs.filter((run) => isSameOperation(run.operation, operation))
  if (same.some(isOpen)) return 'open'
  return same.some(({ job }) => job?.status === 'done' && hasFiles(job, now_ms)) ? 'done' : null
}

/** Returns the runs of an input that failed and were not started again since. */
export function findFailed(runs: readonly Run[]): Run[] {
  return runs.filter((run, index) => {
    const isRepeated = runs.slice(index + 1).some((later) => isSameOperation(later.operation, run.operation))
    return !isRepeated && hasFailed(run)
  })
}

/** Checks whether a run was refused, or its job failed. */
export function hasFailed({ job, error }: Pick<Run, 'job' | 'error'>): boolean {
  return error !== null || job?.status === 'failed'
}

/** Why no run is submitted for a while: other jobs are open, a limit of requests, or no connection. */
export interface Postponement {
  reason: 'busy' | 'limit' | 'unreachable'
  wait_ms: number
}

const BUSY_MS = 3000
const UNREACHABLE_MS = 5000
/** Longer waits are for limits per day, which a page does not wait for. */
const WAIT_MS_MAX = 120_000
/** The service restarts or is in maintenance. */
const UNAVAILABLE = [502, 503, 504]

/** Returns how long to wait before a failed submission is repeated, or null if repeating it is of no use. */
export function findPostponement(error: unknown): Postponement | null {
  if (!(error instanceof MediaError)) return null
  const { code, status, retryAfter } = error
  if (code === 'too_many_jobs_in_flight') return { reason: 'busy', wait_ms: BUSY_MS }
  const wait_ms = Math.max(1, retryAfter ?? 0) * 1000
  if (status === 429 && retryAfter !== undefined && wait_ms <= WAIT_MS_MAX)
    return { reason: 'limit', wait_ms }
  if (status !== 0 && !UNAVAILABLE.includes(status)) return null
  return { reason: 'unreachable', wait_ms: Math.min(WAIT_MS_MAX, Math.max(UNREACHABLE_MS, wait_ms)) }
}

/** Returns the job after an event. The event of its end contains the whole job. */
export function applyEvent(job: Job, event: JobEvent): Job {
  if (event.type === 'progress') return { ...job, progress: event.progress }
  if (event.job !== undefined) return event.job
  const started_at = event.status === 'processing' ? event.at : job.started_at
  return { ...job, status: event.status, started_at }
}

/**
 * Estimates the seconds until a job ends from its progress so far. Returns null while there is too little progress to
 * estimate.
 * @param progress percent, from 0 to 100
 */
export function remainingSeconds(progress: number, elapsed_seconds: number): number | null {
  if (progress < 5 || elapsed_seconds < 2) return null
  return Math.ceil((elapsed_seconds * (100 - progress)) / progress)
}

/** Estimates the seconds until an upload is complete. Returns null while too little is sent. */
export function remainingUploadSeconds(
  { started, fraction }: Pick<Upload, 'started' | 'fraction'>,
  now_ms: number,
) {
  if (started === null) return null
  const elapsed_seconds = (now_ms - started.at_ms) / 1000
  const sent = fraction - started.fraction
  if (elapsed_seconds < 2 || sent <= 0) return null
  return Math.ceil((elapsed_seconds * (1 - fraction)) / sent)
}
