import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { toError } from '../platform/errors/api-error.ts'
import { type RecordAnswer, recordNothing } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { insertOpenUpload } from './insert-open-upload.ts'
import { newUpload } from './new-upload.ts'
import { insertPartUploadStatement } from './part-queries.ts'
import { keepUploadStatement } from './queries.ts'
import { countUpload } from './quota.ts'
import { judgeUpload } from './rules/limits.ts'
import { planParts } from './rules/parts.ts'

/** Time allowed for sending parts: enough for 5 GB on a slow connection with an overnight break. */
export const PARTS_TAKEN_MS = 24 * 60 * 60 * 1000
/** Storage creates an upload within this time. If that fails, the row expires and its bytes no longer count. */
const CREATED_WITHIN_MS = 60_000

interface PartUploadRequest {
  filename: string
  content_type: string
  size_bytes: number
}

/**
 * Starts a multipart upload for the given type and exactly the given number of bytes. Throws 413, 415 and 429 like
 * a presigned upload; later calls use no quota. Contract: Uploads, Upload in parts.
 * @param subject counter name for the client address.
 */
export async function createPartUpload(
  deps: Deps,
  caller: Caller,
  request: PartUploadRequest,
  subject: string,
  record: RecordAnswer = recordNothing,
) {
  const refusal = judgeUpload(request, deps.env.MAX_UPLOAD_GB, Number.POSITIVE_INFINITY)
  if (refusal !== null) throw toError(refusal)
  await countUpload(deps, caller, subject)
  const upload = await newUpload(deps, caller, request)
  const { key, createdAt } = upload
  const { part_bytes, part_count } = planParts(request.size_bytes)
  const expiresAt = Math.min(createdAt + PARTS_TAKEN_MS, upload.expiresAt)
  await insertOpenUpload(deps, caller, { ...upload, expiresAt: createdAt + CREATED_WITHIN_MS })
  const uploadId = await deps.storage.parts.create(key, request.content_type)
  const parts = { key, uploadId, partBytes: part_bytes, partCount: part_count, createdAt, expiresAt }
  const answer = {
    upload_id: uploadId,
    key,
    part_size: part_bytes,
    part_count,
    expires_at: isoTime(expiresAt),
  }
  await commit(deps.db, [
    keepUploadStatement(deps.db, key, upload.expiresAt),
    insertPartUploadStatement(deps.db, parts),
    ...record(answer),
  ])
  return answer
}
