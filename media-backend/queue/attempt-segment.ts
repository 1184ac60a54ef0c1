import type { Job } from 'bullmq'
import type { JobParts } from '../job/job.ts'
import type { SegmentOutcome } from '../job/segment-task.ts'
import { WorkStopped } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'
import { STALLS_MAX } from './queues.ts'
import { failedSegment, runSegment } from './run-segment.ts'
import { processingSeconds, type RunningAttempt, rememberSeconds } from './running-attempt.ts'
import { stopWork } from './stop-work.ts'

/** Runs one attempt at a segment. Its last internal error is an outcome: the job's own worker then does without it. */
export async function attemptSegment(
  job: Job<unknown>,
  token: string | undefined,
  attempt: RunningAttempt,
  parts: JobParts,
): Promise<SegmentOutcome | string> {
  try {
    if (job.stalledCounter > STALLS_MAX) throw new Error('the segment stalled too often')
    return await runSegment(job, attempt, parts)
  } catch (error) {
    if (error instanceof WorkStopped) return await stopWork(job, token, error)
    log('segment_failed', { error: errorText(error) })
    const seconds = processingSeconds(attempt, job)
    const is_last = job.stalledCounter > STALLS_MAX || job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
    if (is_last) return failedSegment(errorText(error), seconds)
    await rememberSeconds(job, seconds)
    throw error
  }
}
