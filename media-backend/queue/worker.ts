import { type Job, Worker } from 'bullmq'
import { parseTraceparent } from '../../shared/protocol/traceparent.ts'
import { WorkStopped } from '../runtime/failure.ts'
import { type JobContext, runInContext } from '../runtime/job-context.ts'
import { beginSpan, endWith } from '../runtime/trace.ts'
import { attemptJob } from './attempt-job.ts'
import { attemptSegment } from './attempt-segment.ts'
import { FORMER_PREFIX, logErrors, prefixOf } from './queues.ts'
import { beginAttempt, type RunningAttempt, type ServedQueue } from './running-attempt.ts'
import { endJobTurn, startJobTurn } from './turn-keeper.ts'
import type { WorkerParts } from './worker-parts.ts'

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
    const endTurn = (job: Job<unknown>) => endJobTurn(parts.redis, lane, job).catch(logErrors('turns'))
    worker.on('completed', endTurn)
    // Also emitted for an attempt that will be repeated.
    worker.on('failed', (job) => (job?.finishedOn === undefined ? undefined : endTurn(job)))
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
  const attempt = beginAttempt(job, queue)
  running.add(attempt)
  if ('lane' in queue) {
    startJobTurn(parts.redis, parts.queues.lanes[queue.lane], job).catch(logErrors('turns'))
  }
  try {
    const named = nameJob(attempt, job, queue, parts)
    const { traceparent, is_segment } = attempt
    traceWait(job, attempt, named)
    const span = beginSpan(is_segment ? 'segment' : 'attempt', traceparent, describeJob(named))
    const context = { ...named, trace_id: parseTraceparent(traceparent)?.trace_id, span }
    return await runInContext(context, () =>
      endWith(span, () =>
        is_segment
          ? attemptSegment(job, token, attempt, parts)
          : attemptJob(job, token, attempt, context, parts),
      ),
    )
  } finally {
    running.delete(attempt)
  }
}

/** Records how long a job has waited in its lane. */
function traceWait(job: Job<unknown>, { started_at, traceparent }: RunningAttempt, named: NamedJob): void {
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
