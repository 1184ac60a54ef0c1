import { type Caller, tierOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, LostRace, untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import type { newUpload } from './new-upload.ts'
import { insertUploadStatement, openBytesGuard, sumOpenUploads } from './queries.ts'
import { GIGABYTE } from './rules/limits.ts'

type NewUpload = Awaited<ReturnType<typeof newUpload>>

/**
 * Inserts an open upload with its declared size. The uploads of a link count for its owner.
 * @throws 429 if the caller's open uploads exceed the limit in total.
 */
export function insertOpenUpload(
  deps: Deps,
  caller: Caller,
  upload: NewUpload,
  statements: Statement[] = [],
): Promise<void> {
  return commitOpenBytes(deps, caller, upload, [insertUploadStatement(deps.db, upload), ...statements])
}

/**
 * Commits statements that add the size of an upload to the caller's open bytes, and checks them in the same commit, so
 * concurrent uploads succeed only as long as they fit. Contract: Uploads, Upload limits.
 * @throws 429 if the caller's open uploads exceed the limit in total.
 */
export async function commitOpenBytes(
  { db, clock }: Deps,
  caller: Caller,
  upload: NewUpload,
  statements: Statement[],
): Promise<void> {
  const now = clock.now()
  const limit_gb = (await loadSettings(db, now))[`open_upload_gb_max_${tierOf(caller, now)}`]
  const bytes_max = limit_gb * GIGABYTE
  await untilCommitted(async () => {
    try {
      await commit(db, [...statements, openBytesGuard(db, upload, { bytes_max, now })])
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
      const open = await sumOpenUploads(db, upload, now)
      if (open.bytes + upload.sizeBytes <= bytes_max) throw error
      throw tooManyOpen(limit_gb, (open.expires_at ?? upload.expiresAt) - now)
    }
  })
}

function tooManyOpen(limit_gb: number, wait_ms: number): ApiError {
  const retry_after_seconds = Math.max(1, Math.ceil(wait_ms / 1000))
  return new ApiError('too_many_open_uploads', { limit_gb, retry_after_seconds })
}
