import type { Job } from 'bullmq'
import { z } from 'zod'
import type { Lane } from '../../shared/planning/lanes.ts'
import { ATTEMPTS_PER_DISPATCH, fenceOf } from '../../shared/protocol/job-report.ts'
import { Traceparent } from '../../shared/protocol/traceparent.ts'
import { secondsSince } from '../runtime/run.ts'
import { startWaits, type Waits } from '../runtime/waits.ts'
import { logErrors } from './queues.ts'

/** A queue that a worker serves: a lane, or a queue of an earlier version. */
export type ServedQueue = { lane: Lane } | { former: string }

/** An attempt that is running in this process. */
export interface RunningAttempt {
  job_id: string
  /** Id in the queue; differs from that of the job if this is one of its segments. */
  queue_id: string
  account_id: number | null | undefined
  fence: number
  started_at: Date
  waits: Waits
  traceparent: string | undefined
  is_segment: boolean
  controller: AbortController
  /** True if the job is handed over when it turns out to be long. */
  may_hand_over: boolean
}

/** The only fields of a queued job, in any version, that the final report needs. */
const QueuedHead = z
  .object({
    dispatch: z.int().min(1).catch(1),
    handed_over: z.boolean().catch(false),
    account_id: z.int().nullable().optional().catch(undefined),
    spent_seconds: z.number().min(0).optional().catch(undefined),
    traceparent: Traceparent,
  })
  .catch({
    ...{ dispatch: 1, handed_over: false },
    ...{ account_id: undefined, spent_seconds: undefined, traceparent: undefined },
  })

/** A child of a job, in any version. */
const IsSegment = z.looseObject({ segment: z.looseObject({}) })

/** Attempts after a handover count from here, so their fence is higher than that of any attempt before it. */
const ATTEMPTS_BEFORE_HANDOVER = ATTEMPTS_PER_DISPATCH / 2

export function beginAttempt(job: Job<unknown>, queue: ServedQueue): RunningAttempt {
  const queue_id = job.id ?? ''
  const { dispatch, handed_over, account_id, traceparent } = QueuedHead.parse(job.data)
  const is_segment = IsSegment.safeParse(job.data).success
  const job_id = is_segment ? queue_id.replace(/\..*/, '') : queue_id
  const fence = fenceOf(dispatch, job.attemptsStarted + (handed_over ? ATTEMPTS_BEFORE_HANDOVER : 0))
  const may_hand_over = 'lane' in queue && queue.lane === 'quick' && !handed_over
  return {
    ...{ job_id, queue_id, account_id, fence, started_at: new Date(), waits: startWaits() },
    ...{ traceparent, is_segment, controller: new AbortController(), may_hand_over },
  }
}

/**
 * Returns the processing time of earlier attempts that ended with an internal error, and of segments that were
 * encoded in vain; undefined if there is none.
 */
export function spentSeconds(job: Job<unknown>): number | undefined {
  return QueuedHead.parse(job.data).spent_seconds
}

/** Returns the processing time of this attempt and of what was spent before. */
export function processingSeconds({ started_at, waits }: RunningAttempt, job: Job<unknown>): number {
  return (spentSeconds(job) ?? 0) + Math.max(0, secondsSince(started_at) - waits.seconds())
}

/** Stores the processing time of a failed attempt for the report of the last one. */
export async function rememberSeconds(job: Job<unknown>, spent_seconds: number): Promise<void> {
  await job.updateData({ ...(job.data as object), spent_seconds }).catch(logErrors('attempt'))
}
