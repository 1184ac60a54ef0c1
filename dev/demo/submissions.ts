import { z } from 'zod'
import type { Client } from '../client.ts'
import type { Sample } from './samples.ts'
import { type Task, withAddresses } from './tasks.ts'

const Tools = z.array(
  z.looseObject({ service_slug: z.string(), operation_key: z.string(), enabled: z.boolean() }),
)

/** Lists the operations that are disabled on the server, as `service/key`. */
export async function listDisabledOperations(client: Client): Promise<Set<string>> {
  const tools = Tools.parse(await (await client.send('GET', '/api/v1/studio/tools')).json())
  const disabled = tools.filter(({ enabled }) => !enabled)
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
) {
  const input = { [sample === 'link' ? 'url' : 'file_url']: addressOf(sample) }
  const filled = withAddresses(params, addressOf) as Record<string, unknown>
  return { service_slug, operation_key, params: { ...filled, ...input } }
}
