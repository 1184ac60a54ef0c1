import type { Deps } from '../../deps.ts'
import type { StoredJob } from '../queries.ts'
import type { RunningAttempt } from './rules/running-attempt.ts'

/** The fields of a job that the progress store keeps current. */
type Running = Pick<StoredJob, 'id' | 'status' | 'fence' | 'progress' | 'heardAt'>

/** Adds the current progress to running jobs. Other jobs, and those that have not reported recently, are unchanged. */
export async function withProgress<Job extends Running>(
  { progress }: Pick<Deps, 'progress'>,
  jobs: readonly Job[],
): Promise<Job[]> {
  const running = jobs.filter(({ status }) => status === 'processing')
  if (running.length === 0) return [...jobs]
  const attempts = await progress.read(running.map(({ id }) => id))
  return jobs.map((job) => updated(job, attempts.get(job.id)))
}

function updated<Job extends Running>(job: Job, attempt: RunningAttempt | null | undefined): Job {
  if (!attempt || job.status !== 'processing' || attempt.fence < job.fence) return job
  const { fence, progress, heard_at } = attempt
  return { ...job, fence, progress, heardAt: Math.max(job.heardAt, heard_at) }
}
