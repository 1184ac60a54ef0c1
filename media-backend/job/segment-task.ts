import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SpreadEncode } from '../../shared/planning/spread.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { withStepRate } from '../steps/rate/with-rate.ts'

/** More than the highest rate factor of any encoder. */
const RATE_MAX = 100

/** One segment of a job's video, for any worker. */
export const SegmentTask = z.object({
  first: z.int().min(0),
  end: z.int().min(1).nullable(),
  /** Fingerprint of the plan. A worker whose own plan for the job differs does not encode the segment. */
  plan: z.string().regex(/^[0-9a-f]{16}$/),
  /** The rate factor that the job's own worker has found; null keeps that of the plan. */
  rate: z.number().min(0).max(RATE_MAX).nullable().default(null),
})
export type SegmentTask = z.infer<typeof SegmentTask>

/** When a worker was busy with a segment, in milliseconds, and on which cores. */
export const EncodeTime = z.object({ started_ms: z.number(), ended_ms: z.number(), cores: z.string() })
export type EncodeTime = z.infer<typeof EncodeTime>

export const SegmentOutcome = z.discriminatedUnion('status', [
  EncodeTime.extend({ status: z.literal('done') }),
  EncodeTime.extend({ status: z.literal('failed'), error: z.string() }),
])
export type SegmentOutcome = z.infer<typeof SegmentOutcome>

/** The segments of one job as other workers see them; see media-backend/queue/segments.ts. */
export interface SegmentQueue {
  /** Offers segments to all workers, except for those that are already offered or encoded. */
  offer(tasks: readonly SegmentTask[]): Promise<void>
  /** Returns the outcomes so far by the name of the segment, and the summed progress of the running ones. */
  read(tasks: readonly SegmentTask[]): Promise<{ outcomes: Map<string, SegmentOutcome>; running: number }>
  /** Withdraws a segment that no worker encodes. Returns false if one does. */
  claim(task: SegmentTask): Promise<boolean>
  /** Records a segment that this worker has encoded, for the case that it dies. */
  record(task: SegmentTask, time: EncodeTime): Promise<void>
  /**
   * Withdraws all segments, stops those that are being encoded, and deletes them from the storage. Their time
   * counts as work if the job fails.
   */
  discard(): Promise<void>
}

/** Returns the encode with the rate factor of a search; null keeps that of the plan. */
export function withSpreadRate(spread: SpreadEncode, rate: number | null): SpreadEncode {
  return { ...spread, video: withStepRate(spread.video, rate) }
}

export function fingerprintOf(spread: SpreadEncode): string {
  return createHash('sha256').update(JSON.stringify(spread)).digest('hex').slice(0, 16)
}

export function segmentName({ first, end }: Pick<SegmentTask, 'first' | 'end'>): string {
  return `${first}-${end ?? 'end'}`
}

/** Returns the key under which workers exchange a segment. The bucket deletes what is left there after a day. */
export function segmentKey(
  { result_id, job_id }: Pick<Dispatch, 'result_id' | 'job_id'>,
  task: Pick<SegmentTask, 'plan' | 'first' | 'end'>,
): string {
  return `segments/${result_id ?? job_id}/${task.plan}/${segmentName(task)}.mp4`
}
