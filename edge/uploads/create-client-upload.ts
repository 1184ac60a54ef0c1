import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { invalidField, toError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { PARTS_TAKEN_MS } from './create-parts.ts'
import { insertOpenUpload } from './insert-open-upload.ts'
import { newUpload } from './new-upload.ts'
import { insertPartUploadStatement } from './part-queries.ts'
import { signNewPut } from './presign.ts'
import { countUpload } from './quota.ts'
import { addressOf } from './rules/addresses.ts'
import { judgeUpload } from './rules/limits.ts'
import { countParts, PARTS_MAX, partBytesFor } from './rules/parts.ts'
import type { NewUploadCall } from './rules/s3-calls.ts'

/** Clients send a request immediately after signing. To retry it later, they request a new signature. */
export const CALL_SECONDS = 15 * 60

/**
 * Starts an upload whose client calls S3 itself: signs its single PUT, or the call that creates it for parts. Throws
 * 413, 415 and 429 like a presigned upload, and 422 for more parts than storage allows. Contract: Uploads, Uploads
 * with S3 clients.
 * @param subject counter name for the client address.
 */
export async function createClientUpload(
  deps: Deps,
  caller: Caller,
  request: NewUploadCall,
  subject: string,
  record: RecordAnswer,
) {
  return request.call === 'put'
    ? createPut(deps, caller, request, subject, record)
    : createParts(deps, caller, request, subject, record)
}

async function createPut(
  deps: Deps,
  caller: Caller,
  request: NewUploadCall,
  subject: string,
  record: RecordAnswer,
) {
  const { upload, put_url, expires_at } = await signNewPut(deps, caller, request, subject)
  const answer = { url: put_url, ...viewUpload(deps, upload), expires_at }
  await insertOpenUpload(deps, caller, upload, record(answer))
  return answer
}

async function createParts(
  deps: Deps,
  caller: Caller,
  request: NewUploadCall,
  subject: string,
  record: RecordAnswer,
) {
  const refusal = judgeUpload(request, deps.env.MAX_UPLOAD_GB, Number.POSITIVE_INFINITY)
  if (refusal !== null) throw toError(refusal)
  const part_size = request.part_size ?? partBytesFor(request.size_bytes)
  const part_count = countParts(request.size_bytes, part_size)
  if (part_count > PARTS_MAX) {
    throw invalidField('part_size', 'too_many_client_parts', { part_count, part_count_max: PARTS_MAX })
  }
  await countUpload(deps, caller, subject)
  const upload = await newUpload(deps, caller, request)
  const { key, contentType, createdAt } = upload
  const url = await deps.storage.parts.presignCreate({ key, contentType }, CALL_SECONDS)
  const expires_at = isoTime(createdAt + CALL_SECONDS * 1000)
  const answer = { url, ...viewUpload(deps, upload), expires_at, part_size, part_count }
  const expiresAt = Math.min(createdAt + PARTS_TAKEN_MS, upload.expiresAt)
  const parts = { key, uploadId: '', partBytes: part_size, partCount: part_count, createdAt, expiresAt }
  await insertOpenUpload(deps, caller, upload, [insertPartUploadStatement(deps.db, parts), ...record(answer)])
  return answer
}

function viewUpload({ env }: Deps, { key, contentType }: { key: string; contentType: string }) {
  return { key, headers: { 'Content-Type': contentType }, file_url: addressOf(env.PUBLIC_URL, key) }
}
