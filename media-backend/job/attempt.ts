import type { Dispatch } from '../../shared/protocol/dispatch.ts'

/** One attempt at a job: what its steps need to know. */
export interface Attempt {
  dispatch: Dispatch
  fence: number
  picked_up_at: Date
  /** Aborted with WorkStopped, or with the JobFailure that the time limit is. */
  signal: AbortSignal
  /** Of the whole job, what it fetches and uploads included; never less than before. */
  reportPercent(percent: number): void
}
