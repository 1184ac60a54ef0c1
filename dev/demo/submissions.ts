import { z } from 'zod'
import type { Client } from '../client.ts'
import type { Sample } from './samples.ts'
import { type Task, withAddresses } from './tasks.ts'

const Tools = z.array(
  z.looseObject({ service_slug: z.string(), operation_key: z.string(), enabled: z.boolean() }),
)

/** The operations that the server does not offer, as `service/key`. */
export async function listSwitchedOff(client: Client): Promise<Set<string>> {
  const tools = Tools.parse(await (await client.send('GET', '/api/v1/studio/tools')).json())
  const off = tools.filter(({ enabled }) => !enabled)
  return new Set(off.map(({ service_slug, operation_key }) => `${service_slug}/${operation_key}`))
}

/** Why a task isn't even tried here; null: it is. */
export function reasonAgainst(
  { service_slug, operation_key, sample }: Task,
  samples: Map<Sample, string>,
  off: Set<string>,
) {
  if (off.has(`${service_slug}/${operation_key}`)) return 'Switched off on this server.'
  if (sample !== 'link' && !samples.has(sample)) return 'No recorded speech is installed on this machine.'
  return null
}

/** What is sent for a task, once its samples have addresses. */
export function submissionOf(
  { service_slug, operation_key, sample, params }: Task,
  addressOf: (name: string) => string,
) {
  const input = { [sample === 'link' ? 'url' : 'file_url']: addressOf(sample) }
  const filled = withAddresses(params, addressOf) as Record<string, unknown>
  return { service_slug, operation_key, params: { ...filled, ...input } }
}
