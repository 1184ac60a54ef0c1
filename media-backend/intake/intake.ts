import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { CancelRequest, Dispatch, type PartialRefusal } from '../../shared/protocol/dispatch.ts'
import { DrainRequest, type DrainResponse, type FleetProcesses } from '../../shared/protocol/processes.ts'
import type { Environment } from '../environment.ts'
import { enqueueJobs, removeJob } from '../queue/enqueue.ts'
import { listProcesses, requestDrain } from '../queue/processes.ts'
import { CANCEL_CHANNEL, type MediaQueues } from '../queue/queues.ts'
import { discardSegments } from '../queue/segments.ts'
import { errorText, log } from '../runtime/log.ts'
import { beginSpan } from '../runtime/trace.ts'
import { withDeadline } from '../runtime/with-deadline.ts'
import type { Storage } from '../storage/storage.ts'
import { limitBodies, requirePeer, requireSignature } from './authenticate.ts'

const PING_MS_MAX = 1000
const QUEUE_ID_KEY = 'media-backend-queue-id'
const REDIS_MS_MAX = 3000

export interface IntakeParts {
  environment: Environment
  queues: MediaQueues
  redis: Redis
  storage: Storage
}

interface Answer {
  status: 200 | 202 | 422
  body: object
}

type Handler = (body: string, parts: IntakeParts) => Promise<Answer>

/** A job ID names a folder and a BullMQ job, so it has no separators or colons and is not a bare number. */
const JobId = z.string().regex(/^(?!\d+$)[A-Za-z0-9_-]{1,100}$/)
const Job = Dispatch.extend({ job_id: JobId, result_id: JobId.optional() })
/** Each dispatch is read on its own, so that one from a newer edge does not hold up the others. */
const Batch = z.object({ jobs: z.array(z.unknown()).min(1).max(100) })
const Cancel = CancelRequest.extend({ job_id: JobId })

/** Creates the fleet's HTTP interface: signed requests from the edge become jobs; unsigned requests get 401. */
export function createIntake(parts: IntakeParts): Hono {
  const app = new Hono()
  const answer = (handler: Handler) => async (context: Context) => {
    const { status, body } = await withDeadline(handler(await context.req.text(), parts), REDIS_MS_MAX)
    return context.json(body, status)
  }
  app.get('/health', (context) => context.json({ status: 'ok' }))
  const keys = parts.environment.FLEET_KEYS
  app.use(requirePeer(keys), limitBodies(), requireSignature(keys))
  app.post('/jobs', answer(addJobs))
  app.post('/cancel', answer(cancelJob))
  app.get('/ready', answer(checkReadiness))
  app.get('/processes', answer(describeProcesses))
  app.post('/drain', answer(drainProcesses))
  app.notFound((context) => context.json({ detail: 'Endpoint not found.' }, 404))
  app.onError((error, context) => {
    log('intake_error', { url: context.req.path, error: errorText(error) })
    return context.json({ detail: 'The fleet cannot accept this request now. Try again later.' }, 503)
  })
  return app
}

async function addJobs(body: string, { queues, environment, redis }: IntakeParts): Promise<Answer> {
  const batch = parseJson(Batch, body)
  if (batch === null) return { status: 422, body: { detail: 'The body is not a batch of dispatches.' } }
  const { dispatches, refused } = readDispatches(batch.jobs)
  requireRedis(redis)
  const spans = dispatches.map(({ job_id, traceparent }) =>
    beginSpan('enqueue', traceparent, { 'job.id': job_id }),
  )
  try {
    await enqueueJobs(dispatches, { queues, environment, redis })
  } finally {
    for (const span of spans) span?.end()
  }
  if (refused.length === 0) return { status: 202, body: { accepted: dispatches.length } }
  const refusal: z.infer<typeof PartialRefusal> = { refused }
  return { status: 422, body: { detail: 'Some dispatches are not readable.', ...refusal } }
}

/** Separates the readable dispatches from the positions of the others, which are logged. */
function readDispatches(jobs: readonly unknown[]): { dispatches: Dispatch[]; refused: number[] } {
  const parsed = jobs.map((job) => Job.safeParse(job))
  for (const { error } of parsed) if (error) log('intake_refused', { error: errorText(error) })
  return {
    dispatches: parsed.flatMap(({ data }) => (data === undefined ? [] : [data])),
    refused: parsed.flatMap(({ success }, position) => (success ? [] : [position])),
  }
}

/** Removes the job if it is waiting, and notifies the workers to stop it if it is running. */
async function cancelJob(body: string, parts: IntakeParts): Promise<Answer> {
  const request = parseJson(Cancel, body)
  if (request === null) return { status: 422, body: { detail: 'The body names no job.' } }
  requireRedis(parts.redis)
  const { redis, storage, queues } = parts
  const returned = await queues.lanes.long.getJob(request.job_id)
  // A job that was returned to its lane may have segments.
  if (returned !== undefined) await discardSegments(returned, { queue: queues.lanes.long, redis, storage })
  const removed = await removeJob(request.job_id, parts)
  await parts.redis.publish(CANCEL_CHANNEL, request.job_id)
  return { status: 202, body: { removed } }
}

async function describeProcesses(_body: string, { redis }: IntakeParts): Promise<Answer> {
  requireRedis(redis)
  const body: z.infer<typeof FleetProcesses> = { processes: await listProcesses(redis) }
  return { status: 200, body }
}

/** Asks one process, or all processes of a lane, to accept no more jobs and to exit after the running ones. */
async function drainProcesses(text: string, { redis }: IntakeParts): Promise<Answer> {
  const request = parseJson(DrainRequest, text)
  if (request === null) return { status: 422, body: { detail: 'The body names no process and no lane.' } }
  requireRedis(redis)
  const body: z.infer<typeof DrainResponse> = { draining: await requestDrain(redis, request) }
  return { status: 202, body }
}

async function checkReadiness(_body: string, { redis }: IntakeParts): Promise<Answer> {
  const queue_id = await withDeadline(readQueueId(redis), PING_MS_MAX).catch(() => null)
  return { status: 200, body: queue_id === null ? { cache: 'down' } : { cache: 'ok', queue_id } }
}

/** Fails immediately while Redis is down: commands would wait for Redis, and the sender retries anyway. */
function requireRedis(redis: Redis): void {
  if (redis.status !== 'ready') throw new Error(`Redis is not ready but ${redis.status}`)
}

/** Returns an id that lives as long as the data in Redis. */
async function readQueueId(redis: Redis): Promise<string> {
  await redis.set(QUEUE_ID_KEY, randomUUID(), 'NX')
  return (await redis.get(QUEUE_ID_KEY)) ?? ''
}

function parseJson<T>(schema: z.ZodType<T>, body: string): T | null {
  try {
    return schema.parse(JSON.parse(body))
  } catch (error) {
    log('intake_refused', { error: errorText(error) })
    return null
  }
}
