import type { Job } from 'bullmq'
import { PlannedEnd } from '../runtime/failure.ts'
import { log } from '../runtime/log.ts'
import { addToLane, type EnqueueParts } from './enqueue.ts'
import { QueuedJob } from './queues.ts'

/** Thrown by an attempt of the quick lane whose job belongs to the long lane. */
export class LongWork extends PlannedEnd {
  readonly work_seconds: number

  constructor(work_seconds: number) {
    super(`the work takes about ${Math.round(work_seconds)} s`)
    this.work_seconds = work_seconds
  }
}

/**
 * Moves the job to the long lane, where its attempts are counted from the start. If this process dies before the job
 * is completed here, another one repeats the move, which changes nothing.
 * @param spent_seconds processing time so far, which counts as work if the job fails.
 */
export async function handOver(
  job: Job<unknown>,
  { work_seconds }: LongWork,
  spent_seconds: number,
  parts: EnqueueParts,
): Promise<string> {
  log('job_handed_over', { to: 'long', work_seconds: Math.round(work_seconds) })
  const moved = { ...QueuedJob.parse(job.data), hold_ms: 0, handed_over: true, spent_seconds }
  await addToLane('long', [moved], parts)
  return 'handed over'
}
