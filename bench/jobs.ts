import { z } from 'zod'
import { type Client, type Job, ResponseError, type Submission } from '../dev/client.ts'

const Submitted = z.looseObject({ id: z.string() })
const JOB_MS_MAX = 10 * 60 * 1000

/** Submits a job with an API key, as a customer's program does. Answers its id. */
export async function submitByKey(client: Client, submission: Submission): Promise<string> {
  const response = await client.send('POST', '/api/v1/jobs/api', submission)
  const answer: unknown = await response.json()
  if (response.status !== 201) throw new ResponseError('the submit', response.status, answer)
  return Submitted.parse(answer).id
}

/**
 * Waits for a job and answers when it was finished, in milliseconds since 1970, by its own account:
 * asking often enough to see it would take cores from the work that is measured.
 */
export async function finishTime(client: Client, id: string): Promise<number> {
  const job: Job = await client.waitForJob(id, JOB_MS_MAX)
  if (job.status !== 'done' || job.finished_at === null) {
    throw new Error(`a job of the benchmark ended ${job.status}: ${job.error}`)
  }
  return Date.parse(job.finished_at)
}
