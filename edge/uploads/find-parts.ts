import { type Caller, ownsFile } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { findPartUpload, type PartUpload } from './part-queries.ts'
import type { Upload } from './queries.ts'

/** Identifies an upload in the calls that follow its creation. */
export interface NamedUpload {
  upload_id: string
  key: string
}

/** Returns the caller's multipart upload; null if there is none or it has expired. */
export async function findOwnParts(
  deps: Deps,
  caller: Caller,
  { key, upload_id }: NamedUpload,
): Promise<{ parts: PartUpload; upload: Upload } | null> {
  const found = await findPartUpload(deps.db, key, upload_id)
  if (found === undefined || found.parts.expiresAt <= deps.clock.now()) return null
  return ownsFile(caller, found.upload) ? found : null
}

/** Returns the caller's unexpired multipart upload. Throws 404 for an unknown or cross-tenant upload. */
export async function requireOwnParts(deps: Deps, caller: Caller, named: NamedUpload) {
  const found = await findOwnParts(deps, caller, named)
  if (found === null) throw new ApiError('upload_not_found')
  return found
}
