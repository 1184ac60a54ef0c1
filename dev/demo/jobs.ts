import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type Job, ResponseError, type Submission } from '../client.ts'
import { writeLine } from './terminal.ts'

const OPEN_MAX = 4
/** Submits and downloads want their share of the requests that an account has in a minute. */
const POLL_MS = 3000
/** A job that is tried again and again may be older than all others. */
const LISTED_MAX = 200
const WAIT_MS_MAX = 5 * 60 * 1000

/**
 * Runs jobs through the system, several at a time, and hands each on as it ends. One listing asks for all
 * of them, so that the polling stays within what a client may ask in a minute.
 * @param onRefused a submission that was not taken, with the sentence of the answer.
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
    for (const job of await patiently(() => client.jobs(Math.min(entries.length, LISTED_MAX)))) {
      const entry = open.get(job.id)
      if (entry === undefined || !isOver(job)) continue
      open.delete(job.id)
      await onEnd(entry, job)
    }
  }
}

function isOver({ status }: Job): boolean {
  return status !== 'queued' && status !== 'processing'
}

async function submit(client: Client, submission: Submission): Promise<Job | string> {
  try {
    return await patiently(() => client.submit(submission))
  } catch (error) {
    if (error instanceof ResponseError && error.status === 400) return error.detail
    throw error
  }
}

/** Asks again where the answer was that it was asked too often, when that answer says. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + WAIT_MS_MAX
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ResponseError) || error.status !== 429) throw error
      const wait_seconds = error.retry_after_seconds ?? 2
      if (Date.now() + 1000 * wait_seconds > deadline) throw error
      writeLine(`Asked too often; going on in ${wait_seconds} s`)
      await delay(1000 * wait_seconds)
    }
  }
}
