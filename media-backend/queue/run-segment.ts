import type { Job } from 'bullmq'
import { encodeSegment } from '../job/encode-segment.ts'
import type { JobParts } from '../job/job.ts'
import type { SegmentOutcome } from '../job/segment-task.ts'
import { countSegment } from '../metrics/job-metrics.ts'
import { CORES } from '../runtime/cores.ts'
import { JobFailure, timeLimitFailure } from '../runtime/failure.ts'
import { QueuedJob } from './queues.ts'
import { processingSeconds, type RunningAttempt } from './running-attempt.ts'

/** How often the progress of a segment is written, for the worker that runs its job. */
const PROGRESS_MS = 2000

/**
 * Encodes a segment of a job that another worker runs. It reports nothing to the edge: its outcome is the value of the
 * child in the flow. A fault in the file is an outcome; internal errors are thrown and retried.
 */
export async function runSegment(
  job: Job<unknown>,
  running: RunningAttempt,
  parts: JobParts,
): Promise<SegmentOutcome> {
  const { segment, ...dispatch } = QueuedJob.parse(job.data)
  if (segment === undefined) throw new Error('the child has no segment')
  const { controller, waits } = running
  const { signal } = controller
  const limit = setTimeout(
    () => controller.abort(timeLimitFailure()),
    parts.environment.JOB_SECONDS_MAX * 1000,
  )
  let written_ms = 0
  const reportProgress = (fraction: number) => {
    if (performance.now() - written_ms < PROGRESS_MS) return
    written_ms = performance.now()
    // Progress that is lost is replaced by the next one.
    job.updateProgress(fraction).catch(() => {})
  }
  const fail = (error: string) => {
    countSegment(job.name, 'failed')
    return failedSegment(error, processingSeconds(running, job))
  }
  const attempt = { dispatch, task: segment, id: job.id ?? '', number: job.attemptsStarted }
  try {
    const time = await encodeSegment({ ...attempt, signal, waits, reportProgress }, parts)
    if (time === null) return fail('the plan of this worker differs')
    countSegment(job.name, 'done')
    return { status: 'done', ...time }
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (!(reason instanceof JobFailure)) throw reason
    return fail(reason.message)
  } finally {
    clearTimeout(limit)
  }
}

/** @param seconds processing time of all attempts at the segment. */
export function failedSegment(error: string, seconds: number): SegmentOutcome {
  const ended_ms = Date.now()
  return { status: 'failed', error, started_ms: ended_ms - seconds * 1000, ended_ms, cores: CORES }
}
