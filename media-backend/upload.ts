import { contentTypeOf, extensionOf } from '../shared/operations/formats.ts'
import type { Plan } from '../shared/operations/operation.ts'
import type { ResultFile } from '../shared/protocol/callback.ts'
import { fileIn } from './folder.ts'
import type { Attempt } from './job.ts'
import { errorText, log } from './log.ts'
import type { Storage } from './storage.ts'

const FILENAME_LENGTH_MAX = 120

/** Puts a plan's outputs where only this attempt writes; what an aborted upload left is removed. */
export async function uploadOutputs(
  plan: Plan,
  { dispatch, fence, signal }: Attempt,
  folder: string,
  storage: Storage,
): Promise<ResultFile[]> {
  const files: ResultFile[] = []
  const keys: string[] = []
  try {
    for (const { file } of plan.outputs) {
      const filename = resultFilename(inputName(plan, dispatch.filename), dispatch.operation_key, file)
      const key = `results/${dispatch.job_id}/${fence}/${filename}`
      const content_type = contentTypeOf(file)
      keys.push(key)
      files.push({
        key,
        filename,
        content_type,
        ...(await storage.upload(key, fileIn(folder, file), content_type, signal)),
      })
    }
    return files
  } catch (error) {
    for (const key of keys) {
      await storage.remove(key).catch((reason) => log('object_left', { key, error: errorText(reason) }))
    }
    throw error
  }
}

/** A title is no file name: no folders are in it, and what stands behind its last dot is no extension. */
function inputName({ input_name }: Plan, filename: string): string {
  return input_name === undefined ? filename : `${input_name.replace(/[/\\]+/g, ' ')}.link`
}

/**
 * The name that a person gets the result under: the input's stem, the operation, the new extension.
 * Letters of any script stay; what could steer a path, a header or a shell's listing does not.
 */
export function resultFilename(input: string, operation_key: string, output: string): string {
  const ending = `-${operation_key}.${extensionOf(output)}`
  const name = input.split(/[/\\]/).at(-1) ?? ''
  const stem = name
    .replace(/\.[^.]{1,8}$/, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '_')
    .replace(/^[ ._-]+|[ ._-]+$/g, '')
    .slice(0, FILENAME_LENGTH_MAX - ending.length)
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${stem === '' ? 'file' : stem}${ending}`
}
