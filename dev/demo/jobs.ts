import {
  type Job,
  JobError,
  type Media,
  MediaError,
  type MediaResult,
  type Submission,
} from '../../client/node/index.ts'

const OPEN_MAX = 4

/** Outcome of a submission: `result` if the job succeeded, `job` if it ran, `reason` if it was refused. */
export interface Ended {
  job: Job | null
  result: MediaResult | null
  reason: string | null
}

/** Runs up to `OPEN_MAX` jobs concurrently and passes the outcome of each to `onEnd`. */
export async function runJobs<Entry extends { submission: Submission }>(
  media: Media,
  entries: readonly Entry[],
  onEnd: (entry: Entry, ended: Ended) => Promise<void>,
): Promise<void> {
  const waiting = [...entries]
  const work = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      await onEnd(entry, await runJob(media, entry.submission))
    }
  }
  await Promise.all(Array.from({ length: OPEN_MAX }, work))
}

async function runJob(media: Media, submission: Submission): Promise<Ended> {
  try {
    const result = await media.run(submission)
    return { job: result.job, result, reason: null }
  } catch (error) {
    if (error instanceof JobError) return { job: error.job, result: null, reason: error.message }
    if (error instanceof MediaError && error.status === 400)
      return { job: null, result: null, reason: error.message }
    throw error
  }
}
