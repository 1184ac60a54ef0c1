import type { Deps } from '../deps.ts'
import { purgeUpload } from '../jobs/purge.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import { addressSubject } from '../platform/http/subjects.ts'
import { measureUpload, type Upload, uploadQuery } from '../uploads/queries.ts'
import { receiveForm } from '../uploads/receive.ts'
import { judgeContent } from '../uploads/rules/parts.ts'
import { kindOf, SNIFF_BYTES, sniffType } from '../uploads/sniff.ts'
import { acceptFile } from './accept-file.ts'
import { countLinkUpload, hideOwnerLimit, requireBegun } from './begin.ts'
import { boundsOf, loadLinkOwner, operationOf, requireOpenLink } from './open-link.ts'
import { reopenSession, type StoredSession } from './queries.ts'
import { judgeDeclared, judgeSeen } from './rules/links.ts'

/**
 * Verifies the uploaded file and submits the job for the owner. A file that is not allowed or does not match its
 * declaration is deleted, and another file can be sent. Throws 400 if nothing was uploaded, and 402, 409, 410, 413,
 * 415 and 429.
 */
export async function completeLinkUpload(deps: Deps, token: string, key: string | undefined) {
  const session = await requireOpenLink(deps, token)
  const { uploadKey } = session
  if (uploadKey === null) throw new ApiError('file_not_uploaded')
  if (key !== undefined && key !== uploadKey) {
    throw new ApiError('upload_superseded')
  }
  const [upload] = await uploadQuery(deps.db, uploadKey)
  if (upload === undefined) throw new ApiError('file_not_uploaded')
  return finish(deps, token, session, upload)
}

/** Receives the file as a form, for clients that cannot use PUT. Also throws 422. */
export async function receiveLinkForm(deps: Deps, token: string, request: Request) {
  const session = await requireOpenLink(deps, token)
  await countLinkUpload(deps, session, addressSubject(request.headers))
  const owner = await loadLinkOwner(deps, session)
  const { upload: received } = await receiveForm(deps, owner, request, (file) =>
    judgeDeclared(boundsOf(session), file),
  ).catch(hideOwnerLimit)
  await requireBegun(deps, session, token, received.key).catch((error) => {
    deps.defer(purgeUpload(deps, received.key))
    throw error
  })
  const [upload] = await uploadQuery(deps.db, received.key)
  if (upload === undefined) throw new Error('a received upload no longer exists')
  return finish(deps, token, { ...session, uploadKey: upload.key }, upload)
}

async function finish(deps: Deps, token: string, session: StoredSession, upload: Upload) {
  await examine(deps, session, upload)
  return acceptFile(deps, { token, session, key: upload.key })
}

/**
 * Verifies an upload. Throws 400 if there is none. Throws 413 and 415 after deleting the file; the link can then be
 * used again.
 */
async function examine(deps: Deps, session: StoredSession, upload: Upload): Promise<void> {
  const { key, contentType, sizeBytes } = upload
  const seen = await deps.storage.peek(key, SNIFF_BYTES)
  if (seen === null) throw new ApiError('file_not_uploaded')
  const type = await sniffType(seen.head)
  const kind = kindOf(type)
  const accepts = operationOf(session)?.accepts ?? []
  const refusal =
    judgeContent(
      { size_bytes: sizeBytes, content_type: contentType },
      { size_bytes: seen.sizeBytes, kind, content_encoding: seen.contentEncoding },
    ) ?? judgeSeen({ ...boundsOf(session), accepts }, contentType, type)
  if (refusal === null) {
    const finding = { source: 'bridge', now: deps.clock.now() } as const
    return measureUpload(deps.db, key, { sizeBytes: seen.sizeBytes, kind, etag: seen.etag }, finding)
  }
  if (await reopenSession(deps.db, session.id, key)) deps.defer(purgeUpload(deps, key))
  throw toError(refusal)
}
