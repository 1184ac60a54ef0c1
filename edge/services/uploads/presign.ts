import { loadSettings } from '../../db/settings.ts'
import { insertUpload } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import { type Caller, sourceOf, tierOf } from '../../rules/caller.ts'
import { addressOf, safeName } from '../../rules/files.ts'
import { uploadLifeMs } from '../../rules/submission.ts'
import { judgeUpload } from '../../rules/uploads.ts'
import { ApiError } from '../api-error.ts'
import { isoTime } from '../views.ts'
import { countUpload } from './quota.ts'

/** Long enough for 5 GB on a slow line. */
const PUT_SECONDS = 6 * 60 * 60

interface PresignRequest {
  filename: string
  content_type: string
  size_bytes: number
}

/**
 * Signs a PUT straight into storage, for this type and exactly this many bytes. Throws 413, 415 and 429.
 * @param until the signature ends by then at the latest.
 */
export async function presignUpload(
  deps: Deps,
  caller: Caller,
  request: PresignRequest,
  headers: Headers,
  until = Number.POSITIVE_INFINITY,
) {
  const refusal = judgeUpload(request, deps.env.MAX_UPLOAD_GB)
  if (refusal !== null) throw new ApiError(refusal.status, refusal.message)
  await countUpload(deps, caller, headers)
  const now = deps.clock.now()
  const lives_ms = uploadLifeMs(await loadSettings(deps.db, now), tierOf(caller, now))
  const key = `uploads/${crypto.randomUUID()}/${safeName(request.filename)}`
  const { content_type: contentType, size_bytes: sizeBytes } = request
  // What is written after its removal would never be removed again.
  const put_seconds = Math.max(1, Math.floor(Math.min(PUT_SECONDS, lives_ms / 1000, (until - now) / 1000)))
  const [put_url] = await Promise.all([
    deps.storage.presignPut({ key, contentType, sizeBytes }, put_seconds),
    insertUpload(
      deps.db,
      {
        key,
        accountId: caller.account?.id ?? null,
        filename: request.filename,
        contentType,
        sizeBytes,
        createdAt: now,
        expiresAt: now + lives_ms,
      },
      sourceOf(caller),
    ),
  ])
  return {
    method: 'PUT' as const,
    put_url,
    headers: { 'Content-Type': contentType },
    url: addressOf(deps.env.PUBLIC_URL, key),
    key,
    expires_at: isoTime(now + put_seconds * 1000),
  }
}
