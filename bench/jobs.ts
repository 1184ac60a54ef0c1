import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Client, ResponseError, type Submission } from '../dev/client.ts'

const Submitted = z.looseObject({ id: z.string() })
const JOB_TIMEOUT_MS = 10 * 60 * 1000
const POLL_MS = 2000

/** Submits a job with an API key, as API clients do, and returns the job's ID. */
export async function submitWithApiKey(client: Client, submission: Submission): Promise<string> {
  const response = await client.send('POST', '/api/v1/jobs/api', submission)
  const body: unknown = await response.json()
  if (response.status !== 201) throw new ResponseError('POST /jobs/api', response.status, body)
  return Submitted.parse(body).id
}

/**
 * Waits for a job and returns its `finished_at` in milliseconds since the Unix epoch. Polls seldom unless a measure asks for
 * more, because each poll takes CPU time away from the measured work.
 */
export async function waitForFinishTime(client: Client, id: string, poll_ms = POLL_MS): Promise<number> {
  const deadline = Date.now() + JOB_TIMEOUT_MS
  for (;;) {
    const { status, finished_at, error } = await client.job(id)
    if (status === 'done' && finished_at !== null) return Date.parse(finished_at)
    if (status !== 'queued' && status !== 'processing') {
      throw new Error(`A benchmark job ended with status ${status}: ${error}`)
    }
    if (Date.now() > deadline) throw new Error(`Job ${id} is still ${status} after ${JOB_TIMEOUT_MS} ms`)
    await delay(poll_ms)
  }
}
