import { type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { type Lane, QUICK_SECONDS_MAX } from '../../shared/planning/lanes.ts'
import {
  ATTEMPTS_PER_DISPATCH,
  fenceOf,
  type JobReport,
  type Outcome,
} from '../../shared/protocol/job-report.ts'
import { parseTraceparent, Traceparent } from '../../shared/protocol/traceparent.ts'
import { type JobParts, runJob } from '../job/job.ts'
import type { SegmentOutcome } from '../job/segment-task.ts'
import { countFailedAttempt, countHandover, countOutcome, countWait } from '../metrics/job-metrics.ts'
import { type ReportQueue, sendReport } from '../reports/report.ts'
import { internalFailure, JobFailure, PlannedEnd, timeLimitFailure, WorkStopped } from '../runtime/failure.ts'
import { type JobContext, runInContext } from '../runtime/job-context.ts'
import { errorText, log } from '../runtime/log.ts'
import { secondsSince } from '../runtime/run.ts'
import { beginSpan, endWith, traced, traceOutcome } from '../runtime/trace.ts'
import { startWaits, type Waits } from '../runtime/waits.ts'
import { addToLane } from './enqueue.ts'
import { startHeartbeat } from './heartbeat.ts'
import { FORMER_PREFIX, logErrors, type MediaQueues, prefixOf, QueuedJob } from './queues.ts'
import { runSegment } from './run-segment.ts'
import { discardSegments, openSegments, type SegmentParts } from './segments.ts'
import { endJobTurn, startJobTurn } from './turn-keeper.ts'

/** A job that has crashed or lost more than this many workers is not retried. */
const STALLS_MAX = 3

/** The only fields of a queued job, in any version, that the final report needs. */
const DispatchNumber = z
  .object({
    dispatch: z.int().min(1).catch(1),
    handed_over: z.boolean().catch(false),
    account_id: z.int().nullable().optional().catch(undefined),
    spent_seconds: z.number().min(0).optional().catch(undefined),
    traceparent: Traceparent,
  })
  .catch({
    ...{ dispatch: 1, handed_over: false },
    ...{ account_id: undefined, spent_seconds: undefined, traceparent: undefined },
  })

/** A child of a job, in any version. */
const IsSegment = z.looseObject({ segment: z.looseObject({}) })

/** Attempts after a handover count from here, so their fence is higher than that of any attempt before it. */
const ATTEMPTS_BEFORE_HANDOVER = ATTEMPTS_PER_DISPATCH / 2

/** While a quick job may still be handed over, it is not reported as started before this time. */
const WEIGHING_MS_MAX = 10_000

export interface WorkerParts extends JobParts {
  redis: Redis
  queues: MediaQueues
  reports: ReportQueue
}

/** A queue that a worker serves: a lane, or a queue of an earlier version. */
export type ServedQueue = { lane: Lane } | { former: string }

export interface MediaWorker {
  /** Stops the job if it is running in this process. */
  cancel(job_id: string): void
  /** Returns the IDs of the jobs that are running in this process. */
  running(): string[]
  /** Stops accepting jobs and waits until the running ones have ended. */
  drain(): Promise<void>
  /** Stops accepting jobs, stops the running ones and returns them to the queue for another process. */
  close(): Promise<void>
}

/** An attempt that is running in this process. */
interface RunningAttempt {
  job_id: string
  /** Id in the queue; differs from that of the job if this is one of its segments. */
  queue_id: string
  account_id: number | null | undefined
  fence: number
  started_at: Date
  waits: Waits
  /** Processing time of earlier attempts that ended with an internal error; undefined if there are none. */
  spent_seconds: number | undefined
  controller: AbortController
  /** True if the job is handed over when it turns out to be long. */
  may_hand_over: boolean
}

export function startWorker(queue: ServedQueue, concurrency: number, parts: WorkerParts): MediaWorker {
  const running = new Set<RunningAttempt>()
  const lock_ms = parts.environment.LOCK_SECONDS * 1000
  const [name, prefix] = 'lane' in queue ? [queue.lane, prefixOf(queue.lane)] : [queue.former, FORMER_PREFIX]
  const worker = new Worker<unknown>(name, (job, token) => processJob(job, token, queue, running, parts), {
    connection: parts.redis,
    prefix,
    concurrency,
    lockDuration: lock_ms,
    stalledInterval: Math.ceil(lock_ms / 4),
    // Stalls are counted in this file instead: BullMQ would fail the job without guaranteeing a report.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: 1000,
  })
  worker.on('error', logErrors(`worker ${name}`))
  if ('lane' in queue) {
    const lane = parts.queues.lanes[queue.lane]
    worker.on('completed', (job) => endJobTurn(parts.redis, lane, job).catch(logErrors('turns')))
  }
  const stop = (attempts: RunningAttempt[], why: 'cancelled' | 'shutdown') => {
    for (const { controller } of attempts) controller.abort(new WorkStopped(why))
  }
  return {
    cancel: (job_id) =>
      stop(
        [...running].filter((attempt) => attempt.job_id === job_id || attempt.queue_id === job_id),
        'cancelled',
      ),
    running: () => [...running].map(({ job_id }) => job_id),
    drain: () => worker.close(),
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
  queue: ServedQueue,
  running: Set<RunningAttempt>,
  parts: WorkerParts,
): Promise<unknown> {
  const queue_id = job.id ?? ''
  const { dispatch, handed_over, account_id, spent_seconds, traceparent } = DispatchNumber.parse(job.data)
  const is_segment = IsSegment.safeParse(job.data).success
  const job_id = is_segment ? queue_id.replace(/\..*/, '') : queue_id
  const fence = fenceOf(dispatch, job.attemptsStarted + (handed_over ? ATTEMPTS_BEFORE_HANDOVER : 0))
  const may_hand_over = 'lane' in queue && queue.lane === 'quick' && !handed_over
  const controller = new AbortController()
  const attempt: RunningAttempt = {
    ...{ job_id, queue_id, account_id, fence, started_at: new Date(), waits: startWaits() },
    ...{ spent_seconds, controller, may_hand_over },
  }
  running.add(attempt)
  if ('lane' in queue) {
    startJobTurn(parts.redis, parts.queues.lanes[queue.lane], job).catch(logErrors('turns'))
  }
  try {
    const named = nameJob(attempt, job, queue, parts)
    traceWait(job, attempt, named, traceparent)
    const span = beginSpan(is_segment ? 'segment' : 'attempt', traceparent, describeJob(named))
    const context = { ...named, trace_id: parseTraceparent(traceparent)?.trace_id, span }
    return await runInContext(context, () =>
      endWith(span, () =>
        is_segment
          ? attemptSegment(job, token, controller, parts)
          : attemptJob(job, token, attempt, context, parts),
      ),
    )
  } finally {
    running.delete(attempt)
  }
}

/** Records how long a job has waited in its lane. */
function traceWait(
  job: Job<unknown>,
  { started_at }: RunningAttempt,
  named: NamedJob,
  traceparent: string | undefined,
): void {
  const begun_at = Math.min(started_at.getTime(), job.timestamp + (job.opts.delay ?? 0))
  // Only the first attempt waits from the time at which the job was added.
  if (job.attemptsStarted > 1) return
  beginSpan('wait', traceparent, describeJob(named), begun_at)?.end(started_at)
}

function describeJob({ job_id, fence, lane, operation }: NamedJob) {
  return { 'job.id': job_id, 'job.fence': fence, 'job.lane': lane, 'job.operation': operation }
}

type NamedJob = Omit<JobContext, 'trace_id' | 'span'>

function nameJob(
  { job_id, fence, account_id }: RunningAttempt,
  job: Job<unknown>,
  queue: ServedQueue,
  { environment }: WorkerParts,
): NamedJob {
  const lane = 'lane' in queue ? queue.lane : queue.former
  const is_long = lane === 'long' || lane === 'video'
  const operation = `${lane === 'image' ? 'image' : 'video'}/${job.name}`
  return { job_id, fence, lane, account_id, operation, niceness: is_long ? environment.LONG_NICENESS : 0 }
}

async function attemptJob(
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
        ? internalOutcome(attempt.spent_seconds)
        : await work(attempt, job, lane, parts)
    countOutcome(measured, outcome)
    traceOutcome(outcome)
    await reportEnd(attempt, outcome, parts.reports)
    await endSegments(job, token, lane, parts)
    return outcome.status
  } catch (error) {
    if (error instanceof LongWork) {
      countHandover(measured)
      return await handOver(job, error, parts)
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
      await reportEnd(attempt, internalOutcome(processingSeconds(attempt)), parts.reports)
      await endSegments(job, token, lane, parts)
    } else await rememberSeconds(job, processingSeconds(attempt))
    throw error
  }
}

/** Runs one attempt at a segment. Its last internal error is an outcome: the job's own worker then does without it. */
async function attemptSegment(
  job: Job<unknown>,
  token: string | undefined,
  controller: AbortController,
  parts: WorkerParts,
): Promise<unknown> {
  try {
    if (job.stalledCounter > STALLS_MAX) throw new Error('the segment stalled too often')
    return await runSegment(job, controller, parts)
  } catch (error) {
    if (error instanceof WorkStopped) return await stopWork(job, token, error)
    log('segment_failed', { error: errorText(error) })
    const is_last = job.stalledCounter > STALLS_MAX || job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
    if (is_last) return { status: 'failed', error: errorText(error) } satisfies SegmentOutcome
    throw error
  }
}

/** Thrown by an attempt of the quick lane whose job belongs to the long lane. */
class LongWork extends PlannedEnd {
  readonly work_seconds: number

  constructor(work_seconds: number) {
    super(`the work takes about ${Math.round(work_seconds)} s`)
    this.work_seconds = work_seconds
  }
}

/**
 * Moves the job to the long lane, where its attempts and its time are counted from the start. If this process dies
 * before the job is completed here, another one repeats the move, which changes nothing.
 */
async function handOver(job: Job<unknown>, { work_seconds }: LongWork, parts: WorkerParts): Promise<string> {
  log('job_handed_over', { to: 'long', work_seconds: Math.round(work_seconds) })
  await addToLane('long', [{ ...QueuedJob.parse(job.data), hold_ms: 0, handed_over: true }], parts)
  return 'handed over'
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
    return failedOutcome(reason, processingSeconds(attempt))
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

async function stopWork(job: Job<unknown>, token: string | undefined, stopped: WorkStopped): Promise<string> {
  log('attempt_stopped', { why: stopped.why })
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
  return traced('report', {}, () => reports.deliver(finalReport(attempt, outcome)))
}

function finalReport(attempt: RunningAttempt, outcome: Outcome): JobReport {
  return {
    type: 'job.finished',
    job_id: attempt.job_id,
    fence: attempt.fence,
    ...(attempt.account_id === undefined ? {} : { account_id: attempt.account_id }),
    at: new Date().toISOString(),
    started_at: attempt.started_at.toISOString(),
    outcome,
  }
}

/**
 * Returns the outcome of a job whose last attempt ended with an internal error. Its time counts as unpaid work, because
 * a file may be what causes the error.
 */
function internalOutcome(processing_seconds: number | undefined): Outcome {
  return failedOutcome(internalFailure(), processing_seconds ?? null)
}

/** Returns the processing time of this attempt and of earlier ones that ended with an internal error. */
function processingSeconds({ started_at, waits, spent_seconds = 0 }: RunningAttempt): number {
  return spent_seconds + Math.max(0, secondsSince(started_at) - waits.seconds())
}

/** Stores the processing time of a failed attempt for the report of the last one. */
async function rememberSeconds(job: Job<unknown>, spent_seconds: number): Promise<void> {
  await job.updateData({ ...(job.data as object), spent_seconds }).catch(logErrors('attempt'))
}
