import type { Dispatch } from '../../shared/protocol/dispatch.ts'

/** One attempt at a job, as its steps see it. */
export interface Attempt {
  dispatch: Dispatch
  fence: number
  picked_up_at: Date
  /** Aborted with WorkStopped, or with the JobFailure of the time limit. */
  signal: AbortSignal
  /** Reports progress of the whole job, including downloads and uploads. Never decreases. */
  reportPercent(percent: number): void
}
