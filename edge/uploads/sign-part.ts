import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { type NamedUpload, type OwnParts, requireOwnParts } from './find-parts.ts'
import { partBytesOf } from './rules/parts.ts'

/** Long enough for 100 MB on a slow connection. After the signature expires, the part can be signed again. */
const PUT_MS = 60 * 60 * 1000

/**
 * Signs a direct PUT of one part with exactly its share of the declared size. The call can be repeated. Throws 404,
 * 409 for a completed upload, and 422 for a part number outside the declared size. Contract: Uploads, Upload in
 * parts.
 */
export async function signPart(
  deps: Deps,
  caller: Caller,
  { part_number, ...named }: NamedUpload & { part_number: number },
) {
  return signPartOf(deps, await requireOwnParts(deps, caller, named), part_number)
}

/** Signs a part of an upload that was found. Throws 409 and 422 like signPart. */
export async function signPartOf(deps: Deps, { parts, upload }: OwnParts, part_number: number) {
  if (parts.completedAt !== null || upload.kind !== null) throw new ApiError('upload_already_completed')
  const { key, uploadId, partBytes, partCount } = parts
  const plan = { part_bytes: partBytes, part_count: partCount }
  const sizeBytes = partBytesOf(part_number, upload.sizeBytes, plan)
  if (sizeBytes === null) {
    throw invalidField('part_number', 'part_out_of_range', { part_count: partCount })
  }
  const now = deps.clock.now()
  const seconds = Math.max(1, Math.floor(Math.min(PUT_MS, parts.expiresAt - now) / 1000))
  const put_url = await deps.storage.parts.presign(
    { key, uploadId, partNumber: part_number, sizeBytes },
    seconds,
  )
  return { put_url, headers: {}, expires_at: isoTime(now + seconds * 1000) }
}
