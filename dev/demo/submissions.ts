import type { Media, Submission } from '../../client/node/index.ts'
import type { Sample } from './samples.ts'
import type { Task } from './task.ts'
import { withAddresses } from './tasks.ts'

/** Lists the operations that are disabled on the server, as `service/key`. */
export async function listDisabledOperations(media: Media): Promise<Set<string>> {
  const disabled = (await media.studio.listTools()).filter(({ enabled }) => !enabled)
  return new Set(disabled.map(({ service_slug, operation_key }) => `${service_slug}/${operation_key}`))
}

/** @returns why the task is skipped; null if it runs */
export function skipReasonOf(
  { service_slug, operation_key, sample }: Task,
  samples: Map<Sample, string>,
  disabled: Set<string>,
) {
  if (disabled.has(`${service_slug}/${operation_key}`)) return 'The operation is disabled on this server.'
  if (sample !== 'link' && !samples.has(sample)) return 'No recorded speech is installed on this machine.'
  return null
}

/** Builds a task's submission from the URLs of its samples. */
export function submissionOf(
  { service_slug, operation_key, sample, params }: Task,
  addressOf: (name: string) => string,
): Submission {
  const input = { [sample === 'link' ? 'url' : 'file']: addressOf(sample) }
  const filled = withAddresses(params, addressOf)
  return {
    service: service_slug,
    operation: operation_key,
    ...input,
    params: filled,
  } as unknown as Submission
}
