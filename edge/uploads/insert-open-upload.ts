import { type Caller, tierOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, LostRace, untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { BLOCK_FACTOR } from '../platform/http/rules/client-address.ts'
import { loadSettings } from '../settings/queries.ts'
import type { newUpload } from './new-upload.ts'
import { insertUploadStatement, openBytesGuard, openBytesQuery, type Uploader } from './queries.ts'
import { GIGABYTE } from './rules/limits.ts'

type NewUpload = Awaited<ReturnType<typeof newUpload>> & { putExpiresAt?: number }

interface OpenLimit {
  uploader: Uploader
  limit_gb: number
}

/**
 * Inserts an open upload with its declared size. The uploads of a link count for its owner. Checks the limits in the
 * same commit, so concurrent uploads succeed only as long as they fit. Contract: Uploads, Upload limits; Limits,
 * Networks.
 * @throws 429 if the caller's open uploads exceed the limit in total.
 */
export async function insertOpenUpload(
  { db, clock }: Deps,
  caller: Caller,
  upload: NewUpload,
  statements: Statement[] = [],
): Promise<void> {
  const now = clock.now()
  const settings = await loadSettings(db, now)
  const limits = limitsOf(upload, settings[`open_upload_gb_max_${tierOf(caller, now)}`])
  const guards = limits.map(({ uploader, limit_gb }) =>
    openBytesGuard(db, uploader, limit_gb * GIGABYTE, now),
  )
  await untilCommitted(async () => {
    try {
      await commit(db, [insertUploadStatement(db, upload), ...statements, ...guards])
    } catch (error) {
      if (error instanceof LostRace) {
        for (const limit of limits) await requireRoom(db, limit, upload, now)
      }
      throw error
    }
  })
}

/** Returns the limits of those for whom an upload counts. */
function limitsOf({ accountId, addressKey, blockKey }: NewUpload, limit_gb: number): OpenLimit[] {
  if (accountId !== null) return [{ uploader: { accountId }, limit_gb }]
  const own = { uploader: { addressKey: addressKey ?? '' }, limit_gb }
  return blockKey === null ? [own] : [own, { uploader: { blockKey }, limit_gb: limit_gb * BLOCK_FACTOR }]
}

/** Throws 429 if an upload does not fit. */
async function requireRoom(
  db: Deps['db'],
  { uploader, limit_gb }: OpenLimit,
  { sizeBytes, expiresAt }: NewUpload,
  now: number,
): Promise<void> {
  const [open] = await openBytesQuery(db, uploader, now)
  if ((open?.bytes ?? 0) + sizeBytes <= limit_gb * GIGABYTE) return
  const wait_ms = (open?.expires_at ?? expiresAt) - now
  const retry_after_seconds = Math.max(1, Math.ceil(wait_ms / 1000))
  throw new ApiError('too_many_open_uploads', { limit_gb, retry_after_seconds })
}
