import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { PartUpload } from './part-queries.ts'

const AbortRequest = z.object({ key: z.string(), upload_id: z.string() })

export function abortEffect({ key, uploadId }: PartUpload): Effect {
  return { id: `abort:${key}`, kind: 'abort', payload: { key, upload_id: uploadId } }
}

/** Deletes an unused multipart upload, even if its parts were completed just before. */
export async function abortParts({ storage }: Deps, payload: unknown): Promise<void> {
  const { key, upload_id } = AbortRequest.parse(payload)
  await storage.parts.abort(key, upload_id)
  await storage.remove([key])
}
