import { once } from 'node:events'
import { type JobsOptions, Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { SERVICE_SLUGS, type ServiceSlug } from '../../shared/planning/operation.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Environment } from '../environment.ts'
import { errorText, log } from '../runtime/log.ts'

/** Each service has a separate queue, so images never wait behind long encodes. */
export type MediaQueues = Record<ServiceSlug, Queue<Dispatch>>

export const REPORTS_QUEUE = 'reports'
export const CANCEL_CHANNEL = 'media-backend-cancel'

/** Long enough to recognize a repeated message, yet short enough to keep Redis small. */
export const KEPT = { age: 3600, count: 10_000 }

/** Connects to Redis. Commands wait for the end of any outage; callers that cannot wait set a deadline. */
export function connectRedis(url: string): Redis {
  return watchErrors(
    new Redis(url, { maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(times * 100, 1000) }),
  )
}

export function openQueues(connection: Redis): MediaQueues {
  const [video, image] = SERVICE_SLUGS.map((service) => {
    const queue = new Queue<Dispatch>(service, { connection })
    queue.on('error', logErrors(`queue ${service}`))
    return queue
  })
  if (video === undefined || image === undefined) throw new Error('no queue for a service')
  return { video, image }
}

/** Returns the queue options for a dispatch. The job ID makes a repeated message a no-op. */
export function jobOptions(
  dispatch: Dispatch,
  limits: Pick<Environment, 'ATTEMPTS_MAX' | 'RETRY_MS'>,
): JobsOptions & { jobId: string } {
  return {
    jobId: dispatch.job_id,
    priority: dispatch.priority,
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
