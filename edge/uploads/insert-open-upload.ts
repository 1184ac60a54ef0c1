import { type Caller, tierOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { LostRace, untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import type { newUpload } from './new-upload.ts'
import { insertUpload, openBytesGuard, sumOpenUploads } from './queries.ts'
import { GIGABYTE } from './rules/limits.ts'

type NewUpload = Awaited<ReturnType<typeof newUpload>>

/**
 * Inserts an open upload and checks the caller's open bytes in one commit, so concurrent uploads succeed only as
 * long as they fit. Uploads through links are limited by their link instead.
 * @throws 429 if the caller's open uploads exceed the limit in total.
 */
export async function insertOpenUpload(
  { db }: Deps,
  caller: Caller,
  upload: NewUpload,
  statements: Statement[] = [],
): Promise<void> {
  if (caller.kind === 'bridge') return insertUpload(db, upload, statements)
  const now = upload.createdAt
  const limit_gb = (await loadSettings(db, now))[`open_upload_gb_max_${tierOf(caller, now)}`]
  const bytes_max = limit_gb * GIGABYTE
  await untilCommitted(async () => {
    try {
      await insertUpload(db, upload, [openBytesGuard(db, upload, { bytes_max, now }), ...statements])
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
