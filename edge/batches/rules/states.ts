import type { JobState } from '../../jobs/rules/states.ts'

/** The states of a batch. Contract: Batches, Batch states. */
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

/** Whether the failure of one file ends its batch. Contract: Batches, Stop by a file. */
export function stopsBatch(errorCode: string): boolean {
  return errorCode === 'input_too_long'
}

/** Names a file that failed, for the error of its batch. */
export function nameFault(filename: string, error: string): string {
  return `${filename}: ${error}`
}

/** Names the first failed file of a batch and counts the others; null where none failed. */
export function nameFaults(files: readonly { filename: string; error: string | null }[]): string | null {
  const [first, ...others] = files
  if (first === undefined) return null
  const fault = nameFault(first.filename, first.error ?? 'it could not be processed')
  if (others.length === 0) return fault
  return `${fault} (${others.length} more ${others.length === 1 ? 'file' : 'files'} failed)`
}

/** Each file of a listed batch comes with its job: so many fit into one response. */
export const LISTED_FILES_MAX = 5000
/** Each job repeats the params of its batch; the database answers with 10 MB at most. */
const LISTED_PARAMS_BYTES_MAX = 8 * 1024 * 1024

/** What a batch takes up in a response: its files, and its params once for itself and once for each of them. */
export interface BatchSize {
  total: number
  params_bytes: number
}

/** Counts the newest batches that fit into one response together; the first always does. */
export function countListed(
  sizes: readonly BatchSize[],
  { files_max, bytes_max } = { files_max: LISTED_FILES_MAX, bytes_max: LISTED_PARAMS_BYTES_MAX },
): number {
  let [files, bytes] = [0, 0]
  const end = sizes.findIndex(({ total, params_bytes }, index) => {
    files += total
    bytes += params_bytes * (total + 1)
    return index > 0 && (files > files_max || bytes > bytes_max)
  })
  return end === -1 ? sizes.length : end
}
