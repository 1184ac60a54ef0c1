import { z } from 'zod'
import { type Client, type Job, ResponseError, type Submission } from '../dev/client.ts'

const Submitted = z.looseObject({ id: z.string() })
const JOB_TIMEOUT_MS = 10 * 60 * 1000

/** Submits a job with an API key, as API clients do, and returns the job's ID. */
export async function submitWithApiKey(client: Client, submission: Submission): Promise<string> {
  const response = await client.send('POST', '/api/v1/jobs/api', submission)
  const body: unknown = await response.json()
  if (response.status !== 201) throw new ResponseError('POST /jobs/api', response.status, body)
  return Submitted.parse(body).id
}

/**
 * Waits for a job and returns its `finished_at` in milliseconds since the Unix epoch. Polling often enough to
 * observe that time directly would take CPU time away from the measured work.
 */
export async function waitForFinishTime(client: Client, id: string): Promise<number> {
  const job: Job = await client.waitForJob(id, JOB_TIMEOUT_MS)
  if (job.status !== 'done' || job.finished_at === null) {
    throw new Error(`A benchmark job ended with status ${job.status}: ${job.error}`)
  }
  return Date.parse(job.finished_at)
}
