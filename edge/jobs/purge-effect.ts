import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Effect } from '../platform/outbox/queries.ts'

const PurgeRequest = z.object({ keys: z.array(z.string()) })

/** Creates the effect that deletes unreferenced files. */
export function purgeEffect(id: string, keys: string[]): Effect {
  return { id: `purge:${id}`, kind: 'purge', payload: { keys } }
}

export function removeFiles({ storage }: Deps, payload: unknown): Promise<void> {
  return storage.remove(PurgeRequest.parse(payload).keys)
}
