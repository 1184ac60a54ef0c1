import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { SERVICE_SLUGS } from '../../shared/planning/operation.ts'
import { CancelRequest, Dispatch, DispatchBatch } from '../../shared/protocol/dispatch.ts'
import { isSigned } from '../../shared/protocol/signature.ts'
import type { Environment } from '../environment.ts'
import { CANCEL_CHANNEL, jobOptions, type MediaQueues } from '../queue/queues.ts'
import { errorText, log } from '../runtime/log.ts'

/** A batch holds up to 100 messages of a queue that takes 128 KB each. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
const PING_MS_MAX = 1000
const REDIS_MS_MAX = 3000

export interface IntakeParts {
  environment: Environment
  queues: MediaQueues
  redis: Redis
}

interface Answer {
  status: number
  body: unknown
}

type Handler = (body: string, parts: IntakeParts) => Promise<Answer>

/** A job id names a folder and a BullMQ job: no separators, no colon, not a bare number. */
const JobId = z.string().regex(/^(?!\d+$)[A-Za-z0-9_-]{1,100}$/)
const Batch = DispatchBatch.extend({
  jobs: z
    .array(Dispatch.extend({ job_id: JobId, result_id: JobId.optional() }))
    .min(1)
    .max(100),
})
const Cancel = CancelRequest.extend({ job_id: JobId })

const SIGNED_ROUTES: Record<string, Handler> = {
  'POST /jobs': addJobs,
  'POST /cancel': cancelJob,
  'GET /ready': tellReadiness,
}

/** The fleet's door: signed requests of the edge become jobs; anything unsigned is refused with 401. */
export function createIntake(parts: IntakeParts): Server {
  return createServer((request, response) => {
    answer(request, parts)
      .catch((error: unknown): Answer => {
        log('intake_error', { url: request.url, error: errorText(error) })
        return { status: 503, body: { detail: 'The fleet cannot take this now; try again.' } }
      })
      .then((result) => send(response, result))
  })
}

async function answer(request: IncomingMessage, parts: IntakeParts): Promise<Answer> {
  const route = `${request.method} ${request.url?.split('?')[0]}`
  if (route === 'GET /health') return { status: 200, body: { status: 'ok' } }
  const body = await readBody(request)
  if (body === null) return { status: 413, body: { detail: 'The request is too large.' } }
  if (!isSigned(parts.environment.FLEET_KEYS, signatureHeaders(request), body)) {
    return { status: 401, body: { detail: 'The signature is missing, wrong or too old.' } }
  }
  const handler = SIGNED_ROUTES[route]
  if (handler === undefined) return { status: 404, body: { detail: 'There is nothing here.' } }
  return withDeadline(handler(body, parts), REDIS_MS_MAX)
}

async function addJobs(body: string, { queues, environment, redis }: IntakeParts): Promise<Answer> {
  const batch = parseJson(Batch, body)
  if (batch === null) return { status: 422, body: { detail: 'This is not a batch of dispatches.' } }
  requireRedis(redis)
  await Promise.all(
    SERVICE_SLUGS.map(async (service) => {
      const jobs = batch.jobs.filter((dispatch) => dispatch.service_slug === service)
      if (jobs.length === 0) return
      await Promise.all(jobs.map((dispatch) => prepareRedispatch(dispatch, queues)))
      await queues[service].addBulk(
        jobs.map((data) => ({ name: data.operation_key, data, opts: jobOptions(data, environment) })),
      )
    }),
  )
  return { status: 202, body: { accepted: batch.jobs.length } }
}

/**
 * The edge hands a job over anew when it believes the fleet lost it, or when it has waited too long.
 * While an earlier dispatch runs it goes on, and adding changes nothing; one that waits comes to the
 * front, if the edge says so; one that has ended makes room for the new.
 */
async function prepareRedispatch(dispatch: Dispatch, queues: MediaQueues): Promise<void> {
  if (dispatch.dispatch === 1) return
  const queue = queues[dispatch.service_slug]
  const earlier = await queue.getJob(dispatch.job_id)
  if (earlier === undefined || earlier.data.dispatch >= dispatch.dispatch) return
  const state = await queue.getJobState(dispatch.job_id)
  if (state === 'completed' || state === 'failed') await queue.remove(dispatch.job_id)
  else if (dispatch.priority < earlier.priority) {
    await earlier.changePriority({ priority: dispatch.priority })
  }
}

/** Removes the job where it waits; where it runs, its worker hears of it and ends the work. */
async function cancelJob(body: string, { queues, redis }: IntakeParts): Promise<Answer> {
  const request = parseJson(Cancel, body)
  if (request === null) return { status: 422, body: { detail: 'This names no job.' } }
  requireRedis(redis)
  const removed = await Promise.all(SERVICE_SLUGS.map((service) => queues[service].remove(request.job_id)))
  await redis.publish(CANCEL_CHANNEL, request.job_id)
  return { status: 202, body: { removed: removed.includes(1) } }
}

async function tellReadiness(_body: string, { redis }: IntakeParts): Promise<Answer> {
  const pong = await withDeadline(redis.ping(), PING_MS_MAX).catch(() => 'down')
  return { status: 200, body: { cache: pong === 'PONG' ? 'ok' : 'down' } }
}

/** While Redis is away, commands would wait for it: the sender had better try again. */
function requireRedis(redis: Redis): void {
  if (redis.status !== 'ready') throw new Error(`Redis is not ready but ${redis.status}`)
}

async function withDeadline<T>(work: Promise<T>, deadline_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadline_ms} ms`)), deadline_ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function signatureHeaders(request: IncomingMessage): Partial<Record<string, string>> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return Object.fromEntries(names.map((name) => [name, request.headers[name]?.toString()]))
}

/** The body as text, or null when it is too large to be one of the edge's. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) break
    chunks.push(chunk)
  }
  if (size > BODY_BYTES_MAX) {
    // The rest is read past: a sender may listen only when all is sent. Within the loop this would do nothing.
    request.resume()
    return null
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson<T>(schema: z.ZodType<T>, body: string): T | null {
  try {
    return schema.parse(JSON.parse(body))
  } catch (error) {
    log('intake_refused', { error: errorText(error) })
    return null
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
