import { commit } from '../../db/commit.ts'
import { loadSettings } from '../../db/settings.ts'
import { deleteUploadStatements, insertUpload, sumOpenUploads } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import { type Caller, tierOf } from '../../rules/caller.ts'
import { GIGABYTE } from '../../rules/uploads.ts'
import { waitInWords } from '../../rules/wait.ts'
import { ApiError } from '../api-error.ts'
import type { newUpload } from './new-upload.ts'

type NewUpload = Awaited<ReturnType<typeof newUpload>>

/**
 * Writes an upload that begins. Counted afterwards, so that those that begin at the same time see each other.
 * Uploads by links are bounded by their link. Throws 429 where the caller's open uploads are too large together.
 */
export async function insertOpenUpload(deps: Deps, caller: Caller, upload: NewUpload): Promise<void> {
  const { db } = deps
  await insertUpload(db, upload)
  if (caller.kind === 'bridge') return
  const now = upload.createdAt
  const [settings, open] = await Promise.all([loadSettings(db, now), sumOpenUploads(db, upload, now)])
  const limit_gb = settings[`open_upload_gb_max_${tierOf(caller, now)}`]
  if (open.bytes <= limit_gb * GIGABYTE) return
  await commit(db, deleteUploadStatements(db, [upload.key]))
  const seconds = Math.max(1, Math.ceil((open.expires_at - now) / 1000))
  throw new ApiError(
    429,
    `too many open uploads: with this one they have more than ${limit_gb} GB together; ` +
      `use them in jobs, or try again in ${waitInWords(seconds)}, when the first expires`,
    { 'Retry-After': String(seconds) },
  )
}
