import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { toError } from '../platform/errors/api-error.ts'
import { type RecordAnswer, recordNothing } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { insertOpenUpload } from './insert-open-upload.ts'
import { newUpload } from './new-upload.ts'
import { countUpload } from './quota.ts'
import { addressOf } from './rules/addresses.ts'
import { judgeUpload } from './rules/limits.ts'

/** Long enough for 5 GB on a slow connection. */
const PUT_SECONDS = 6 * 60 * 60

interface PresignRequest {
  filename: string
  content_type: string
  size_bytes: number
}

/**
 * Signs a direct PUT to storage for the given type and exactly the given number of bytes. Throws 413, 415 and 429.
 * @param subject counter name for the client address.
 * @param options `until`: the latest time at which the signature may expire.
 */
export async function presignUpload(
  deps: Deps,
  caller: Caller,
  request: PresignRequest,
  subject: string,
  {
    until = Number.POSITIVE_INFINITY,
    record = recordNothing,
  }: { until?: number; record?: RecordAnswer } = {},
) {
  const { upload, put_url, expires_at } = await signNewPut(deps, caller, request, subject, until)
  const answer = {
    method: 'PUT' as const,
    put_url,
    headers: { 'Content-Type': upload.contentType },
    url: addressOf(deps.env.PUBLIC_URL, upload.key),
    key: upload.key,
    expires_at,
  }
  await insertOpenUpload(deps, caller, upload, record(answer))
  return answer
}

/** Signs the PUT of a new upload, which the caller still has to insert. Throws like presignUpload. */
export async function signNewPut(
  deps: Deps,
  caller: Caller,
  request: PresignRequest,
  subject: string,
  until = Number.POSITIVE_INFINITY,
) {
  const refusal = judgeUpload(request, deps.env.MAX_UPLOAD_GB)
  if (refusal !== null) throw toError(refusal)
  await countUpload(deps, caller, subject)
  const upload = await newUpload(deps, caller, request)
  const { key, contentType, sizeBytes, createdAt: now } = upload
  // A file written after its scheduled deletion would never be deleted.
  const ends_at = Math.min(now + PUT_SECONDS * 1000, upload.expiresAt, until)
  const put_seconds = Math.max(1, Math.floor((ends_at - now) / 1000))
  const putExpiresAt = now + put_seconds * 1000
  const put_url = await deps.storage.presignPut({ key, contentType, sizeBytes }, put_seconds)
  return { upload: { ...upload, putExpiresAt }, put_url, expires_at: isoTime(putExpiresAt) }
}
