import { type Caller, ownsFile } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { claimUploadIdStatement, findPartUpload, type PartUpload } from './part-queries.ts'
import type { Upload } from './queries.ts'

/** Identifies an upload in the calls that follow its creation. */
export interface NamedUpload {
  upload_id: string
  key: string
}

/** A multipart upload with its row in `uploads`. */
export interface OwnParts {
  parts: PartUpload
  upload: Upload
}

/** Returns the caller's multipart upload; null if there is none or it has expired. */
export async function findOwnParts(
  deps: Deps,
  caller: Caller,
  { key, upload_id }: NamedUpload,
): Promise<OwnParts | null> {
  return findOwn(deps, caller, key, [upload_id])
}

async function findOwn(
  deps: Deps,
  caller: Caller,
  key: string,
  uploadIds: string[],
): Promise<OwnParts | null> {
  const found = await findPartUpload(deps.db, key, uploadIds)
  if (found === undefined || found.parts.expiresAt <= deps.clock.now()) return null
  return ownsFile(caller, found.upload) ? found : null
}

/** Returns the caller's unexpired multipart upload. Throws 404 for an unknown or cross-tenant upload. */
export async function requireOwnParts(deps: Deps, caller: Caller, named: NamedUpload): Promise<OwnParts> {
  const found = await findOwnParts(deps, caller, named)
  if (found === null) throw new ApiError('upload_not_found')
  return found
}

/**
 * Returns the caller's upload like requireOwnParts. If its client created it at storage, the first request that
 * names its upload id also stores that id.
 */
export async function claimOwnParts(deps: Deps, caller: Caller, named: NamedUpload): Promise<OwnParts> {
  const found = await findOwn(deps, caller, named.key, [named.upload_id, ''])
  if (found !== null && found.parts.uploadId !== '') return found
  if (found !== null) await commit(deps.db, [claimUploadIdStatement(deps.db, named.key, named.upload_id)])
  return requireOwnParts(deps, caller, named)
}
