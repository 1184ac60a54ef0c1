import { stat } from 'node:fs/promises'
import { contentTypeOf, extensionOf } from '../../shared/planning/formats.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { RESULT_FILENAME_LENGTH_MAX, type ResultFile } from '../../shared/protocol/job-report.ts'
import { fileIn } from '../runtime/folder.ts'
import { errorText, log } from '../runtime/log.ts'
import type { ReportProgress } from '../runtime/progress.ts'
import type { Storage } from '../storage/storage.ts'
import type { Attempt } from './attempt.ts'

/** Limits the cleanup, so canceled work ends even if the storage does not respond. */
const REMOVAL_MS_MAX = 1000

/**
 * Uploads a plan's outputs under keys that belong to this attempt, and reports the progress. If the upload fails,
 * removes what it has written.
 */
export async function uploadOutputs(
  plan: Plan,
  { dispatch, fence, signal, waits }: Attempt,
  folder: string,
  storage: Storage,
  reportProgress: ReportProgress,
): Promise<ResultFile[]> {
  const files: ResultFile[] = []
  const keys: string[] = []
  const total_bytes = await sizeOf(plan, folder)
  let sent_bytes = 0
  try {
    for (const { file } of plan.outputs) {
      const filename = resultFilename(inputName(plan, dispatch.filename), dispatch.operation_key, file)
      const key = `results/${dispatch.result_id ?? dispatch.job_id}/${fence}/${filename}`
      const content_type = contentTypeOf(file)
      keys.push(key)
      const local = { path: fileIn(folder, file), content_type }
      const stored = await storage.upload(key, local, { signal, waits }, (bytes) =>
        reportProgress((sent_bytes + bytes) / total_bytes),
      )
      sent_bytes += stored.size_bytes
      files.push({ key, filename, content_type, ...stored })
    }
    reportProgress(1)
    return files
  } catch (error) {
    await removeAll(keys, storage)
    throw error
  }
}

async function sizeOf({ outputs }: Plan, folder: string): Promise<number> {
  const files = await Promise.all(outputs.map(({ file }) => stat(fileIn(folder, file))))
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** Removes objects that will not be part of a report. Failures are logged. */
export async function removeAll(keys: readonly string[], storage: Storage): Promise<void> {
  const limit = AbortSignal.timeout(REMOVAL_MS_MAX)
  await Promise.all(
    keys.map((key) =>
      storage
        .remove(key, limit)
        .catch((reason) => log('object_not_removed', { key, error: errorText(reason) })),
    ),
  )
}

/** Replaces slashes in a link's title. Adds an extension, because the text after the title's last dot is not one. */
function inputName({ input_name }: Plan, filename: string): string {
  return input_name === undefined ? filename : `${input_name.replace(/[/\\]+/g, ' ')}.link`
}

/**
 * Returns the download name of a result: the input's stem, the operation, and the new extension. Keeps letters in
 * all scripts; replaces characters that could affect a path, a header or a shell.
 */
export function resultFilename(input: string, operation_key: string, output: string): string {
  const ending = `-${operation_key}.${extensionOf(output)}`
  const name = input.split(/[/\\]/).at(-1) ?? ''
  const stem = name
    .replace(/\.[^.]{1,8}$/, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '_')
    .replace(/^[ ._-]+|[ ._-]+$/g, '')
    .slice(0, RESULT_FILENAME_LENGTH_MAX - ending.length)
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${stem === '' ? 'file' : stem}${ending}`
}
