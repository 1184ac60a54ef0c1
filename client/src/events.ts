import type { Job } from '../generated/types.ts'
import { MediaError } from './error.ts'
import { backoff, pause } from './retry.ts'
import { readServerEvents } from './server-events.ts'
import type { Transport } from './transport.ts'

/** Event of a job. The last event is a status event with the finished job. */
export type JobEvent =
  | { type: 'status'; job_id: string; status: Job['status']; at: string; job?: Job }
  | { type: 'progress'; job_id: string; progress: number }

/** Number of consecutive streams that can break without an event before the client polls the job instead. */
const BROKEN_STREAMS_MAX = 3
const RECONNECT_MS = 1000
const WAIT_SECONDS = 25
const POLL_MS_MIN = 250
const POLL_MS_MAX = 3000

/** Position of a client in the events of a job. */
interface Place {
  lastEventId: string | null
  /** Number of consecutive streams that broke without an event. */
  broken: number
}

/**
 * Follows a job until it ends. Uses server-sent events, which resume after a lost connection, and polls the job if no
 * events arrive. Contract: Jobs, Job events.
 */
export async function* followJob(
  transport: Transport,
  job_id: string,
  signal: AbortSignal | undefined,
  getJob: (wait_seconds: number) => Promise<Job>,
): AsyncGenerator<JobEvent> {
  const place: Place = { lastEventId: null, broken: 0 }
  while (place.broken < BROKEN_STREAMS_MAX) {
    try {
      const stream = await openStream(transport, job_id, place, signal)
      if (stream === null) break
      if (yield* readStream(stream, place)) return
      // The service ends a long stream, and the client continues with the next one.
      await pause(RECONNECT_MS, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof MediaError && error.status >= 400 && error.status < 500) throw error
      place.broken++
      await pause(backoff(place.broken), signal)
    }
  }
  yield* pollJob(job_id, signal, getJob)
}

/** Opens the event stream. Returns null if there are no more events or the endpoint does not exist. */
async function openStream(
  transport: Transport,
  job_id: string,
  { lastEventId }: Place,
  signal: AbortSignal | undefined,
): Promise<Response | null> {
  const response = await transport.send({
    method: 'GET',
    path: `/api/v1/jobs/${encodeURIComponent(job_id)}/events`,
    headers: { accept: 'text/event-stream', ...(lastEventId !== null && { 'last-event-id': lastEventId }) },
    isRepeatable: true,
    isStreamed: true,
    signal,
  })
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
  await response.body?.cancel()
  return null
}

/** @returns true after the event that ends the job */
async function* readStream(stream: Response, place: Place): AsyncGenerator<JobEvent, boolean> {
  for await (const { event, id, data } of readServerEvents(stream)) {
    if (event !== 'status' && event !== 'progress') continue
    place.broken = 0
    place.lastEventId = id || place.lastEventId
    const happened = { type: event, ...JSON.parse(data) } as JobEvent
    yield happened
    if (happened.type === 'status' && hasEnded(happened.status)) return true
  }
  return false
}

async function* pollJob(
  job_id: string,
  signal: AbortSignal | undefined,
  getJob: (wait_seconds: number) => Promise<Job>,
): AsyncGenerator<JobEvent> {
  let seen = { status: '', progress: 0 }
  for (let pause_ms = POLL_MS_MIN; ; pause_ms = Math.min(POLL_MS_MAX, pause_ms * 1.5)) {
    const job = await getJob(WAIT_SECONDS)
    const { status, progress } = job
    if (status !== seen.status) {
      const at = job.finished_at ?? job.started_at ?? job.created_at
      yield { type: 'status', job_id, status, at, ...(hasEnded(status) && { job }) }
    } else if (progress !== seen.progress) {
      yield { type: 'progress', job_id, progress }
    }
    if (hasEnded(status)) return
    seen = { status, progress }
    await pause(pause_ms, signal)
  }
}

export function hasEnded(status: Job['status']): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled'
}
