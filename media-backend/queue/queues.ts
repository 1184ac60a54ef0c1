import { once } from 'node:events'
import { type JobsOptions, Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { LANES, type Lane } from '../../shared/planning/lanes.ts'
import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Environment } from '../environment.ts'
import { EncodeTime, SegmentTask } from '../job/segment-task.ts'
import { errorText, log } from '../runtime/log.ts'

/** A dispatch as it waits in a queue. */
export const QueuedJob = Dispatch.extend({
  /** True if a worker of another lane found that the job belongs to this one. A job is handed over only once. */
  handed_over: z.boolean().optional(),
  /**
   * Processing time of attempts that ended with an internal error or a handover, and of segments that were encoded in
   * vain. It counts as work if the job fails.
   */
  spent_seconds: z.number().optional(),
  /** Set for a child of a job that encodes one segment of its video. */
  segment: SegmentTask.optional(),
  /** Segments that the job's own worker has encoded, by the ids of their children. */
  encoded: z.array(EncodeTime.extend({ id: z.string() })).optional(),
})
export type QueuedJob = z.infer<typeof QueuedJob>

export type LaneQueues = Record<Lane, Queue<QueuedJob>>

/** Queues of earlier versions, one per service. They are only emptied. */
export const FORMER_QUEUES = ['video', 'image'] as const
type FormerQueue = (typeof FORMER_QUEUES)[number]

/** All queues that can hold jobs of customers. */
export interface MediaQueues {
  lanes: LaneQueues
  former: Record<FormerQueue, Queue<QueuedJob>>
}

/** A job that has crashed or lost more than this many workers is not retried. */
export const STALLS_MAX = 3

export const REPORTS_QUEUE = 'reports'
export const CANCEL_CHANNEL = 'media-backend-cancel'

/** Long enough to recognize a repeated message, yet short enough to keep Redis small. */
export const KEPT = { age: 3600, count: 10_000 }

/** Connects to Redis. Commands wait for the end of any outage; callers that cannot wait set a deadline. */
export function connectRedis({
  REDIS_URL,
  REDIS_PASSWORD,
}: Pick<Environment, 'REDIS_URL' | 'REDIS_PASSWORD'>): Redis {
  return watchErrors(
    new Redis(REDIS_URL, {
      ...(REDIS_PASSWORD !== undefined && { password: REDIS_PASSWORD }),
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * 100, 1000),
    }),
  )
}

/**
 * Returns the prefix of a queue's keys. The braces are a hash tag: a Redis Cluster keeps all keys of one queue on one
 * node, as the scripts of BullMQ require, and different queues on different nodes.
 */
export function prefixOf(queue: Lane | typeof REPORTS_QUEUE): string {
  return `{media-${queue}}`
}

/** Queues of earlier versions have the default prefix. */
export const FORMER_PREFIX = 'bull'

export function openQueues(connection: Redis): MediaQueues {
  const open = (name: string, prefix: string) => {
    // Only versions that fill the former queues write their metadata, which therefore shows that they are in use.
    const queue = new Queue<QueuedJob>(name, {
      connection,
      prefix,
      skipMetasUpdate: prefix === FORMER_PREFIX,
    })
    queue.on('error', logErrors(`queue ${name}`))
    return queue
  }
  const lanes = Object.fromEntries(LANES.map((lane) => [lane, open(lane, prefixOf(lane))]))
  const former = Object.fromEntries(FORMER_QUEUES.map((name) => [name, open(name, FORMER_PREFIX)]))
  return { lanes: lanes as LaneQueues, former: former as MediaQueues['former'] }
}

export function listQueues({ lanes, former }: MediaQueues): Queue<QueuedJob>[] {
  return [...Object.values(lanes), ...Object.values(former)]
}

/** Returns the queue options for a dispatch. The job ID makes a repeated message a no-op. */
export function jobOptions(
  dispatch: Dispatch,
  priority: number,
  limits: Pick<Environment, 'ATTEMPTS_MAX' | 'RETRY_MS'>,
): JobsOptions & { jobId: string } {
  return {
    jobId: dispatch.job_id,
    priority,
    delay: dispatch.hold_ms,
    attempts: limits.ATTEMPTS_MAX,
    backoff: { type: 'exponential', delay: limits.RETRY_MS },
    removeOnComplete: KEPT,
    removeOnFail: KEPT,
  }
}

/**
 * Returns an error listener for queues and workers. It skips lost connections, which the client already logs once.
 */
export function logErrors(where: string): (error: Error) => void {
  return (error) => {
    const code = 'code' in error ? error.code : ''
    const is_connection =
      code === 'ECONNREFUSED' || code === 'ECONNRESET' || /Connection is closed/.test(error.message)
    if (!is_connection) log('queue_error', { where, error: errorText(error) })
  }
}

/**
 * Waits until Redis is ready.
 * @returns false if Redis does not respond before the deadline; the caller then continues without it.
 */
export async function waitForRedis(redis: Redis, deadline_ms: number): Promise<boolean> {
  if (redis.status === 'ready') return true
  return once(redis, 'ready', { signal: AbortSignal.timeout(deadline_ms) }).then(
    () => true,
    () => redis.status === 'ready',
  )
}

function watchErrors(redis: Redis): Redis {
  let last = ''
  redis.on('error', (error) => {
    const text = errorText(error)
    if (text !== last) log('redis_error', { error: text })
    last = text
  })
  redis.on('ready', () => {
    last = ''
  })
  return redis
}
