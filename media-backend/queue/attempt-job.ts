import type { Job } from 'bullmq'
import { QUICK_SECONDS_MAX } from '../../shared/planning/lanes.ts'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { runJob } from '../job/job.ts'
import { countFailedAttempt, countHandover, countOutcome, countWait } from '../metrics/job-metrics.ts'
import { sendReport } from '../reports/report.ts'
import { JobFailure, timeLimitFailure, WorkStopped } from '../runtime/failure.ts'
import type { JobContext } from '../runtime/job-context.ts'
import { errorText, log } from '../runtime/log.ts'
import { traceOutcome } from '../runtime/trace.ts'
import { handOver, LongWork } from './hand-over.ts'
import { startHeartbeat } from './heartbeat.ts'
import { QueuedJob, STALLS_MAX } from './queues.ts'
import { failedOutcome, internalOutcome, reportEnd } from './report-end.ts'
import { processingSeconds, type RunningAttempt, rememberSeconds, spentSeconds } from './running-attempt.ts'
import { readOtherSeconds } from './segment-seconds.ts'
import { discardSegments, openSegments, type SegmentParts } from './segments.ts'
import { stopWork } from './stop-work.ts'
import type { WorkerParts } from './worker-parts.ts'

/** While a quick job may still be handed over, it is not reported as started before this time. */
const WEIGHING_MS_MAX = 10_000

/** Runs one attempt at a job, and reports its outcome. */
export async function attemptJob(
  job: Job<unknown>,
  token: string | undefined,
  attempt: RunningAttempt,
  { operation, lane }: JobContext,
  parts: WorkerParts,
): Promise<string> {
  const measured = { operation, lane, started_at: attempt.started_at }
  countWait(lane, (attempt.started_at.getTime() - job.timestamp - (job.opts.delay ?? 0)) / 1000)
  try {
    const outcome =
      job.stalledCounter > STALLS_MAX
        ? internalOutcome(await stalledSeconds(job, parts))
        : await work(attempt, job, lane, parts)
    countOutcome(measured, outcome)
    traceOutcome(outcome)
    await reportEnd(attempt, outcome, parts.reports)
    await endSegments(job, token, lane, parts)
    return outcome.status
  } catch (error) {
    if (error instanceof LongWork) {
      countHandover(measured)
      return await handOver(job, error, processingSeconds(attempt, job), parts)
    }
    if (error instanceof WorkStopped) {
      // After a shutdown, the next attempt continues with the segments that are encoded by then.
      if (error.why !== 'shutdown') await endSegments(job, token, lane, parts)
      return await stopWork(job, token, error)
    }
    log('attempt_failed', { error: errorText(error) })
    countFailedAttempt(measured)
    const last = job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
    if (last) {
      await reportEnd(attempt, internalOutcome(await workSeconds(attempt, job, parts)), parts.reports)
      await endSegments(job, token, lane, parts)
    } else await rememberSeconds(job, processingSeconds(attempt, job))
    throw error
  }
}

/**
 * Runs the job under its time limit. A fault in the file is an outcome; internal errors are thrown. A dispatch that
 * cannot be parsed is also thrown, because a worker with another version may run the next attempt.
 */
async function work(
  attempt: RunningAttempt,
  job: Job<unknown>,
  lane: string,
  parts: WorkerParts,
): Promise<Outcome> {
  const { job_id, fence, started_at, waits, controller } = attempt
  const dispatch = QueuedJob.parse(job.data)
  const { signal } = controller
  const limit = setTimeout(
    () => controller.abort(timeLimitFailure()),
    parts.environment.JOB_SECONDS_MAX * 1000,
  )
  const heartbeat = startHeartbeat({
    job_id,
    fence,
    started_at,
    first_ms: attempt.may_hand_over ? WEIGHING_MS_MAX : undefined,
    send: (report) => sendReport(report, parts.environment),
    abort: (reason) => controller.abort(reason),
  })
  const weigh = (work_seconds: number) => {
    if (attempt.may_hand_over && work_seconds > QUICK_SECONDS_MAX) throw new LongWork(work_seconds)
  }
  try {
    const job_attempt = {
      dispatch,
      fence,
      picked_up_at: started_at,
      signal,
      waits,
      reportPercent: heartbeat.progress,
      weigh,
      reportWeighed: heartbeat.begin,
      segments: isSpread(lane, parts) ? openSegments(job, dispatch, longLane(parts)) : undefined,
    }
    return await runJob(job_attempt, parts)
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (!(reason instanceof JobFailure)) throw reason
    return failedOutcome(reason, await workSeconds(attempt, job, parts))
  } finally {
    heartbeat.stop()
    clearTimeout(limit)
  }
}

function isSpread(lane: string, { environment }: WorkerParts): boolean {
  return lane === 'long' && environment.SPREAD_SECONDS_MIN > 0
}

function longLane({ queues, redis, storage, environment }: WorkerParts): SegmentParts {
  return { queue: queues.lanes.long, redis, storage, environment }
}

/** Discards the segments of a job that ends, unless another attempt has begun: they are then its own. */
async function endSegments(
  job: Job<unknown>,
  token: string | undefined,
  lane: string,
  parts: WorkerParts,
): Promise<void> {
  if (lane !== 'long') return
  const { queue, ...rest } = longLane(parts)
  try {
    const lock = await parts.redis.get(`${queue.toKey(job.id ?? '')}:lock`)
    if (lock === token) await discardSegments(job, { queue, ...rest })
  } catch (error) {
    // The job has been reported, so it must not run again. The bucket deletes what is left.
    log('segments_not_discarded', { error: errorText(error) })
  }
}

/**
 * Returns the processing time of a job that fails, which counts as unpaid work: that of its attempts, and of other
 * workers that encoded its segments.
 */
async function workSeconds(attempt: RunningAttempt, job: Job<unknown>, parts: WorkerParts): Promise<number> {
  return processingSeconds(attempt, job) + (await otherSeconds(job, parts))
}

/** Returns the known processing time of a job that is not attempted again; undefined if there is none. */
async function stalledSeconds(job: Job<unknown>, parts: WorkerParts): Promise<number | undefined> {
  const seconds = (spentSeconds(job) ?? 0) + (await otherSeconds(job, parts))
  return seconds > 0 ? seconds : undefined
}

/** The report matters more than the time of other workers, so a failure to read that does not keep it. */
async function otherSeconds(job: Job<unknown>, { queues }: WorkerParts): Promise<number> {
  if (job.queueName !== queues.lanes.long.name) return 0
  return readOtherSeconds(job, queues.lanes.long).catch((error: unknown) => {
    log('segment_seconds_unknown', { error: errorText(error) })
    return 0
  })
}
