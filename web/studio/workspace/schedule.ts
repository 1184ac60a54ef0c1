import { type Job, type JobEvent, MediaError } from '../../../client/src/index.ts'
import type { Run, Upload } from './items.ts'

/** A run with what decides whether it can be submitted. */
export interface Scheduled {
  key: string
  upload: Upload['status']
  run: Pick<Run, 'job' | 'error'>
}

/**
 * Returns the keys of the runs to submit now: those whose file is uploaded, as many as the limit leaves room for.
 * @param submitting keys of runs that were submitted and have no answer yet
 * @param open_max how many runs may be open at the same time
 */
export function runsToSubmit(
  runs: readonly Scheduled[],
  submitting: ReadonlySet<string>,
  open_max: number,
): string[] {
  const open = runs.filter(({ run: { job } }) => job !== null && !hasEnded(job)).length
  const ready = runs.filter(({ key, upload, run: { job, error } }) => {
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

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled'
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
