import { type Job, WaitingError } from 'bullmq'
import type { WorkStopped } from '../runtime/failure.ts'
import { log } from '../runtime/log.ts'

/** Ends an attempt that was stopped. After a shutdown, the job returns to its lane. */
export async function stopWork(
  job: Job<unknown>,
  token: string | undefined,
  stopped: WorkStopped,
): Promise<string> {
  log('attempt_stopped', { why: stopped.why })
  if (stopped.why !== 'shutdown') return stopped.why
  await job.moveToWait(token)
  throw new WaitingError()
}
