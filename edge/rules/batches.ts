import type { JobState } from './jobs.ts'

/** The states of a batch. Specification: Batch; States and transitions. */
export const BATCH_STATES = ['queued', 'processing', 'done', 'failed', 'canceled'] as const
export type BatchState = (typeof BATCH_STATES)[number]

/** Why the files that were open were canceled together: a person did it, or one of them was over-long. */
export type BatchStop = 'canceled' | 'failed'

/** How many of a batch's files are in which state. */
export type FileCounts = Record<JobState, number>

export function countFiles(states: readonly JobState[]): FileCounts {
  const counts: FileCounts = { queued: 0, processing: 0, done: 0, failed: 0, canceled: 0 }
  for (const state of states) counts[state] += 1
  return counts
}

/**
 * A batch's state follows from its files'. It is never kept beside them, so that the two cannot disagree.
 * A file that failed by itself doesn't stop the others: what was delivered makes the batch done.
 */
export function batchStateOf(counts: FileCounts, stopped: BatchStop | null): BatchState {
  const { queued, processing, done, failed, canceled } = counts
  if (queued + processing > 0) return processing + done + failed + canceled > 0 ? 'processing' : 'queued'
  if (stopped !== null) return stopped
  if (done > 0) return 'done'
  return failed > 0 ? 'failed' : 'canceled'
}

/** Whether the failure of one file ends its batch. Specification: Input length ceiling, per file in a batch. */
export function stopsBatch(errorCode: string): boolean {
  return errorCode === 'input_too_long'
}

/** What a batch says of the file that it failed by. */
export function nameFault(filename: string, error: string): string {
  return `${filename}: ${error}`
}
