import { type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { ServiceSlug } from '../../shared/planning/operation.ts'
import { Dispatch } from '../../shared/protocol/dispatch.ts'
import { fenceOf, type Outcome } from '../../shared/protocol/job-report.ts'
import { type JobParts, runJob } from '../job/job.ts'
import { type ReportQueue, sendReport } from '../reports/report.ts'
import { internalFailure, JobFailure, timeLimitFailure, WorkStopped } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'
import { secondsSince } from '../runtime/run.ts'
import { startHeartbeat } from './heartbeat.ts'
import { logErrors } from './queues.ts'

/** A job that has crashed or lost more than this many workers is not retried. */
const STALLS_MAX = 3

/** The only field of a dispatch, in any version, that the final report needs. */
const DispatchNumber = z.object({ dispatch: z.int().min(1).catch(1) }).catch({ dispatch: 1 })

export interface WorkerParts extends JobParts {
  redis: Redis
  reports: ReportQueue
}

export interface MediaWorker {
  /** Stops the job if it is running in this process. */
  cancel(job_id: string): void
  /** Stops accepting jobs, stops the running ones and returns them to the queue for another process. */
  close(): Promise<void>
}

/** An attempt that is running in this process. */
interface RunningAttempt {
  job_id: string
  fence: number
  started_at: Date
  controller: AbortController
}

export function startWorker(service: ServiceSlug, concurrency: number, parts: WorkerParts): MediaWorker {
  const running = new Set<RunningAttempt>()
  const lock_ms = parts.environment.LOCK_SECONDS * 1000
  const worker = new Worker<unknown>(service, (job, token) => processJob(job, token, running, parts), {
    connection: parts.redis,
    concurrency,
    lockDuration: lock_ms,
    stalledInterval: Math.ceil(lock_ms / 4),
    // Stalls are counted in this file instead: BullMQ would fail the job without guaranteeing a report.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: 1000,
  })
  worker.on('error', logErrors(`worker ${service}`))
  const stop = (attempts: RunningAttempt[], why: 'cancelled' | 'shutdown') => {
    for (const { controller } of attempts) controller.abort(new WorkStopped(why))
  }
  return {
    cancel: (job_id) =>
      stop(
        [...running].filter((attempt) => attempt.job_id === job_id),
        'cancelled',
      ),
    async close() {
      const closed = worker.close()
      stop([...running], 'shutdown')
      await closed
    },
  }
}

async function processJob(
  job: Job<unknown>,
  token: string | undefined,
  running: Set<RunningAttempt>,
  parts: WorkerParts,
): Promise<string> {
  const job_id = job.id ?? ''
  const fence = fenceOf(DispatchNumber.parse(job.data).dispatch, job.attemptsStarted)
  const attempt = { job_id, fence, started_at: new Date(), controller: new AbortController() }
  running.add(attempt)
  try {
    const outcome =
      job.stalledCounter > STALLS_MAX ? INTERNAL_ERROR_OUTCOME : await work(attempt, job.data, parts)
    await reportEnd(attempt, outcome, parts.reports)
    return outcome.status
  } catch (error) {
    if (error instanceof WorkStopped) return await stopWork(job, token, error)
    log('attempt_failed', { job_id, fence, error: errorText(error) })
    const last = job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
    if (last) await reportEnd(attempt, INTERNAL_ERROR_OUTCOME, parts.reports)
    throw error
  } finally {
    running.delete(attempt)
  }
}

/**
 * Runs the job under its time limit. A fault in the file is an outcome; internal errors are thrown. A dispatch that
 * cannot be parsed is also thrown, because a worker with another version may run the next attempt.
 */
async function work(attempt: RunningAttempt, data: unknown, parts: WorkerParts): Promise<Outcome> {
  const { job_id, fence, started_at, controller } = attempt
  const dispatch = Dispatch.parse(data)
  const { signal } = controller
  const limit = setTimeout(
    () => controller.abort(timeLimitFailure()),
    parts.environment.JOB_SECONDS_MAX * 1000,
  )
  const heartbeat = startHeartbeat({
    job_id,
    fence,
    started_at,
    send: (report) => sendReport(report, parts.environment),
    abort: (reason) => controller.abort(reason),
  })
  try {
    const job_attempt = {
      dispatch,
      fence,
      picked_up_at: started_at,
      signal,
      reportPercent: heartbeat.progress,
    }
    return await runJob(job_attempt, parts)
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (!(reason instanceof JobFailure)) throw reason
    return failedOutcome(reason, secondsSince(started_at))
  } finally {
    heartbeat.stop()
    clearTimeout(limit)
  }
}

async function stopWork(job: Job<unknown>, token: string | undefined, stopped: WorkStopped): Promise<string> {
  log('attempt_stopped', { job_id: job.id, why: stopped.why })
  if (stopped.why !== 'shutdown') return stopped.why
  await job.moveToWait(token)
  throw new WaitingError()
}

function failedOutcome(
  { error_code, message, reason }: JobFailure,
  processing_seconds: number | null,
): Outcome {
  return { status: 'failed', processing_seconds, error: message, error_code, reason }
}

function reportEnd(attempt: RunningAttempt, outcome: Outcome, reports: ReportQueue): Promise<void> {
  return reports.deliver({
    type: 'job.finished',
    job_id: attempt.job_id,
    fence: attempt.fence,
    at: new Date().toISOString(),
    started_at: attempt.started_at.toISOString(),
    outcome,
  })
}

/**
 * Declares no processing time, because internal failures do not count against the account
 * (edge/jobs/rules/unpaid-work.ts).
 */
const INTERNAL_ERROR_OUTCOME = failedOutcome(internalFailure(), null)
