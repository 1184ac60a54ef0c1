import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { CALL_SECONDS, createClientUpload } from './create-client-upload.ts'
import { claimOwnParts, type OwnParts } from './find-parts.ts'
import { expirePartsStatement } from './part-queries.ts'
import { addressOf } from './rules/addresses.ts'
import type { OpenUploadCall, S3Call } from './rules/s3-calls.ts'
import { signPartOf } from './sign-part.ts'

/**
 * Signs one S3 request, which the client then sends to storage itself. A new upload passes the same checks as a
 * presigned one, and throws 413, 415, and 429. Later calls throw 404 for an unknown or cross-tenant upload, 409 for a
 * completed one, and 422 for a part outside the declared size. Contract: Uploads, Uploads with S3 clients.
 * @param subject counter name for the client address.
 */
export async function signS3Call(
  deps: Deps,
  caller: Caller,
  request: S3Call,
  subject: string,
  record: RecordAnswer,
) {
  if (!('upload_id' in request)) {
    return createClientUpload(deps, caller, request, subject, record)
  }
  const found = await claimOwnParts(deps, caller, request)
  const { url, headers, expires_at } =
    request.call === 'part'
      ? await signClientPart(deps, found, request.part_number)
      : await signOpenUploadCall(deps, found, request.call)
  const { key } = found.parts
  return { url, key, headers, expires_at, file_url: addressOf(deps.env.PUBLIC_URL, key) }
}

async function signClientPart(deps: Deps, found: OwnParts, part_number: number) {
  const { put_url, headers, expires_at } = await signPartOf(deps, found, part_number)
  return { url: put_url, headers, expires_at }
}

const METHODS = { list: 'GET', complete: 'POST', abort: 'DELETE' } as const

async function signOpenUploadCall(deps: Deps, { parts, upload }: OwnParts, call: OpenUploadCall) {
  if (parts.completedAt !== null || upload.kind !== null) throw new ApiError('upload_already_completed')
  const { key, uploadId } = parts
  const now = deps.clock.now()
  const seconds = Math.max(1, Math.floor(Math.min(CALL_SECONDS, (parts.expiresAt - now) / 1000)))
  const expiresAt = now + seconds * 1000
  // If the client does not abort the upload, the scheduled task does after the signature has expired.
  if (call === 'abort') await commit(deps.db, [expirePartsStatement(deps.db, key, expiresAt)])
  const url = await deps.storage.parts.presignCall({ method: METHODS[call], key, uploadId }, seconds)
  return { url, headers: {}, expires_at: isoTime(expiresAt) }
}
