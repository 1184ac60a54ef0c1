import { type Caller, sourceOf, tierOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { purgeUpload } from '../jobs/purge.ts'
import { uploadLifeMs } from '../jobs/rules/submission.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { SentPart } from '../platform/storage/part-storage.ts'
import { loadSettings } from '../settings/queries.ts'
import { type NamedUpload, requireOwnParts } from './find-parts.ts'
import { completePartsStatement, forgetPartsStatement, type PartUpload } from './part-queries.ts'
import { type Content, measureStatements, type Upload } from './queries.ts'
import { addressOf } from './rules/addresses.ts'
import { judgeContent, judgePartList } from './rules/parts.ts'
import { SNIFF_BYTES, sniffKind } from './sniff.ts'

/**
 * Completes a multipart upload and verifies the file. A file that does not match its declaration is deleted.
 * Repeating the call returns the same response. Throws 404; 400 for missing or mismatched parts and for a truncated
 * file; 413 and 415. Contract: Uploads, Upload in parts.
 */
export async function completePartUpload(
  deps: Deps,
  caller: Caller,
  { parts: sent, ...named }: NamedUpload & { parts: SentPart[] },
) {
  const { parts, upload } = await requireOwnParts(deps, caller, named)
  if (parts.completedAt !== null) return viewComplete(deps, upload)
  await putTogether(deps, parts, sent)
  const { db, clock } = deps
  const content = await examine(deps, upload)
  const now = clock.now()
  const lives_ms = uploadLifeMs(await loadSettings(db, now), tierOf(caller, now))
  const found = { ...content, expiresAt: now + lives_ms }
  await commit(db, [
    ...measureStatements(db, upload.key, found, { source: sourceOf(caller), now }),
    completePartsStatement(db, upload.key, now),
  ])
  return viewComplete(deps, { ...upload, ...found })
}

async function putTogether({ storage }: Deps, parts: PartUpload, sent: SentPart[]): Promise<void> {
  const { key, uploadId, partBytes, partCount } = parts
  const numbers = sent.map(({ part_number }) => part_number)
  const fault = judgePartList(numbers, { part_bytes: partBytes, part_count: partCount })
  if (fault !== null) throw toError(fault)
  const outcome = await storage.parts.complete(key, uploadId, sent)
  if (outcome === 'invalid') throw new ApiError('part_mismatch')
  // 'unknown' is not an error yet: an interrupted attempt completed the upload, or storage deleted it. The
  // verification checks whether the object exists.
}

/** Verifies an upload. Throws 400, 413 and 415 after deleting the file. */
async function examine(deps: Deps, upload: Upload): Promise<Content> {
  const { key, sizeBytes, contentType } = upload
  const seen = await deps.storage.peek(key, SNIFF_BYTES)
  if (seen === null) throw new ApiError('upload_not_found')
  const kind = await sniffKind(seen.head)
  const announced = { size_bytes: sizeBytes, content_type: contentType }
  const refusal = judgeContent(announced, { size_bytes: seen.sizeBytes, kind })
  if (refusal === null) return { kind, etag: seen.etag }
  const removing = purgeUpload(deps, key, [forgetPartsStatement(deps.db, key)])
  deps.defer(removing)
  await removing.catch(() => undefined)
  throw toError(refusal)
}

/** Returns a completed upload in the same form as a presigned one, but with nothing left to PUT. */
function viewComplete({ env }: Deps, { key, contentType, expiresAt }: Upload) {
  return {
    method: 'PUT' as const,
    put_url: '',
    headers: { 'Content-Type': contentType },
    url: addressOf(env.PUBLIC_URL, key),
    key,
    expires_at: isoTime(expiresAt),
  }
}
