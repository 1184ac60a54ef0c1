import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Waits } from '../runtime/waits.ts'
import type { SegmentQueue } from './segment-task.ts'

/** One attempt at a job, as seen by its steps. */
export interface Attempt {
  dispatch: Dispatch
  fence: number
  picked_up_at: Date
  /** Aborts with WorkStopped, or with the JobFailure for the time limit. */
  signal: AbortSignal
  waits: Waits
  /** Reports the progress of the whole job, including downloads and uploads. The percentage never decreases. */
  reportPercent(percent: number): void
  /** Receives the estimated time of the work as soon as it is known; throws if the job belongs to another lane. */
  weigh?(work_seconds: number): void
  /** Called once the job is certain to stay in its lane. */
  reportWeighed?(): void
  /** Absent if other workers cannot take part. */
  segments?: SegmentQueue | undefined
}
