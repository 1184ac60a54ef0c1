import type { ErrorCode } from '../../../shared/protocol/job-report.ts'
import type { Locale, Texts, TextsFrom } from '../../../shared/text/texts.ts'
import { countText } from '../../../shared/text/words.ts'
import type { JobState } from '../../jobs/rules/states.ts'

/** The states of a batch. Contract: Batches, Batch states. */
export const BATCH_STATES = ['queued', 'processing', 'done', 'failed', 'canceled'] as const
export type BatchState = (typeof BATCH_STATES)[number]

/** Why the open files were all canceled: by a person, or because one file exceeded the length limit. */
export type BatchStop = 'canceled' | 'failed'

/** The number of files in each state. */
export type FileCounts = Record<JobState, number>

export function countFiles(states: readonly JobState[]): FileCounts {
  const counts: FileCounts = { queued: 0, processing: 0, done: 0, failed: 0, canceled: 0 }
  for (const state of states) counts[state] += 1
  return counts
}

/**
 * Derives the state of a batch from its files. The state is never stored, so it always agrees with the files. One
 * failed file does not make the batch fail: unless the batch was stopped, it is done if at least one file was
 * delivered.
 */
export function batchStateOf(counts: FileCounts, stopped: BatchStop | null): BatchState {
  const { queued, processing, done, failed, canceled } = counts
  if (queued + processing > 0) return processing + done + failed + canceled > 0 ? 'processing' : 'queued'
  if (stopped !== null) return stopped
  if (done > 0) return 'done'
  return failed > 0 ? 'failed' : 'canceled'
}

/** The final states of batches, and of jobs. */
export const BATCH_ENDS = ['done', 'failed', 'canceled'] as const
export type BatchEnd = (typeof BATCH_ENDS)[number]

/** Returns the final state of a batch whose last open file ends in the given state. */
export function endOf(
  { stopped, ...others }: Record<BatchEnd, number> & { stopped: BatchStop | null },
  last: BatchEnd,
): BatchEnd {
  const counts = { queued: 0, processing: 0, ...others, [last]: others[last] + 1 }
  return batchStateOf(counts, stopped) as BatchEnd
}

/** Checks whether one file's failure stops its batch. Contract: Batches, Stop by a file. */
export function stopsBatch(errorCode: ErrorCode): boolean {
  return errorCode === 'input_too_long'
}

/** Formats a failed file's error for the error of its batch. */
export function nameFault(filename: string, error: string): string {
  return `${filename}: ${error}`
}

const UNKNOWN: Texts = {
  en: 'The file could not be processed.',
  uk: 'Файл не вдалося обробити.',
  ru: 'Файл не удалось обработать.',
}

/** Says how many further files failed. */
const OTHERS: TextsFrom<number> = {
  en: (count) => `${count} more ${count === 1 ? 'file' : 'files'} failed`,
  uk: (count) => `не вдалося також: ${countText('uk', count, 'file')}`,
  ru: (count) => `не удалось также: ${countText('ru', count, 'file')}`,
}

/** Formats the first failed file's error and the number of other failed files; returns null if none failed. */
export function nameFaults(
  files: readonly { filename: string; error: string | null }[],
  locale: Locale = 'en',
): string | null {
  const [first, ...others] = files
  if (first === undefined) return null
  const fault = nameFault(first.filename, first.error ?? UNKNOWN[locale])
  return others.length === 0 ? fault : `${fault} (${OTHERS[locale](others.length)})`
}

/** Maximum number of files, including their jobs, in one list response. */
export const LISTED_FILES_MAX = 5000
/** Each job repeats its batch's params, and a database response is limited to 10 MB. */
const LISTED_PARAMS_BYTES_MAX = 8 * 1024 * 1024

/** The space a batch takes up in a response: its files, plus its params once for the batch and once per file. */
export interface BatchSize {
  total: number
  params_bytes: number
}

/** Returns how many of the newest batches fit into one response; at least one. */
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
