import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type Job, ResponseError, type Submission } from '../client.ts'
import { writeLine } from './terminal.ts'

const OPEN_MAX = 4
/** Leaves room in the account's requests-per-minute limit for submissions and downloads. */
const POLL_MS = 3000
/** A job that is retried many times can be the oldest on the list. */
const LISTED_MAX = 200
const WAIT_MS_MAX = 5 * 60 * 1000

/**
 * Runs up to `OPEN_MAX` jobs concurrently and passes each to `onEnd` when it ends. A single listing polls all of
 * them, which keeps polling within the account's requests-per-minute limit.
 * @param onRefused receives each refused submission and the error message
 */
export async function runJobs<Entry extends { submission: Submission }>(
  client: Client,
  entries: readonly Entry[],
  onEnd: (entry: Entry, job: Job) => Promise<void>,
  onRefused: (entry: Entry, reason: string) => void,
): Promise<void> {
  const waiting = [...entries]
  const open = new Map<string, Entry>()
  const fill = async () => {
    for (let entry = next(); entry !== undefined; entry = next()) {
      const job = await submit(client, entry.submission)
      if (typeof job === 'string') onRefused(entry, job)
      else open.set(job.id, entry)
    }
  }
  const next = () => (open.size < OPEN_MAX ? waiting.shift() : undefined)
  for (await fill(); open.size > 0; await fill()) {
    await delay(POLL_MS)
    for (const job of await retryWhenRateLimited(() => client.jobs(Math.min(entries.length, LISTED_MAX)))) {
      const entry = open.get(job.id)
      if (entry === undefined || !hasEnded(job)) continue
      open.delete(job.id)
      await onEnd(entry, job)
    }
  }
}

function hasEnded({ status }: Job): boolean {
  return status !== 'queued' && status !== 'processing'
}

async function submit(client: Client, submission: Submission): Promise<Job | string> {
  try {
    return await retryWhenRateLimited(() => client.submit(submission))
  } catch (error) {
    if (error instanceof ResponseError && error.status === 400) return error.detail
    throw error
  }
}

/** Retries a rate-limited call (429) after its `Retry-After` delay. Gives up after 5 minutes. */
export async function retryWhenRateLimited<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + WAIT_MS_MAX
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ResponseError) || error.status !== 429) throw error
      const wait_seconds = error.retry_after_seconds ?? 2
      if (Date.now() + 1000 * wait_seconds > deadline) throw error
      writeLine(`Rate limit reached; retrying in ${wait_seconds} s`)
      await delay(1000 * wait_seconds)
    }
  }
}
