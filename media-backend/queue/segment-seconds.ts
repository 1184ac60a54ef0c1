import type { Job, Queue } from 'bullmq'
import type { EncodeTime } from '../job/segment-task.ts'
import { encodeSeconds } from '../job/shared-seconds.ts'
import { listChildren, readOutcomes } from './children.ts'
import { QueuedJob } from './queues.ts'

/**
 * Returns the time in seconds that other workers have spent on the segments of a job so far, also on those that failed
 * or still run. Time that they shared cores with the job's own worker is part of its own time.
 */
export async function readOtherSeconds(job: Job<unknown>, queue: Queue<QueuedJob>): Promise<number> {
  const own = ownTimes(job)
  return encodeSeconds([...own, ...(await otherTimes(job, queue))]) - encodeSeconds(own)
}

/** Returns the time in seconds that all workers have spent on the segments of a job so far. */
export async function readAllSeconds(job: Job<unknown>, queue: Queue<QueuedJob>): Promise<number> {
  return encodeSeconds([...ownTimes(job), ...(await otherTimes(job, queue))])
}

function ownTimes(job: Job<unknown>): EncodeTime[] {
  return QueuedJob.safeParse(job.data).data?.encoded ?? []
}

async function otherTimes(job: Job<unknown>, queue: Queue<QueuedJob>): Promise<EncodeTime[]> {
  const outcomes = await readOutcomes(job, queue)
  const { open } = await listChildren(job, queue)
  const children = await Promise.all(open.map((id) => queue.getJob(id)))
  const now_ms = Date.now()
  const running = children.flatMap((child) => {
    if (child === undefined) return []
    const { processedOn = now_ms, data, id = '' } = child
    // Its cores are not known yet.
    return [{ started_ms: processedOn - (data.spent_seconds ?? 0) * 1000, ended_ms: now_ms, cores: id }]
  })
  return [...outcomes.values(), ...running]
}
