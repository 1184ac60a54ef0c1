import { countUses } from '../accounts/throttle.ts'
import type { Deps } from '../deps.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import { widenPolicy } from '../platform/http/rules/client-address.ts'
import { blockSubject } from '../platform/http/subjects.ts'
import { loadSettings } from '../settings/queries.ts'
import { presignUpload } from '../uploads/presign.ts'
import { boundsOf, loadLinkOwner, requireOpenLink } from './open-link.ts'
import { beginUpload, type StoredSession } from './queries.ts'
import { judgeDeclared } from './rules/links.ts'

const HOUR_MS = 60 * 60 * 1000
/** Allows for failed attempts. Each one can leave a file behind until it expires. */
const ATTEMPTS_MAX = 20

interface AnnouncedFile {
  filename: string
  content_type: string
  size_bytes: number
}

/**
 * Signs a direct PUT for the given type and exactly the given number of bytes. More uploads can be started until
 * one of them is complete. Throws 409, 410, 413, 415 and 429.
 */
export async function presignLinkUpload(deps: Deps, token: string, file: AnnouncedFile, subject: string) {
  const session = await requireOpenLink(deps, token)
  const refusal = judgeDeclared(boundsOf(session), file)
  if (refusal !== null) throw toError(refusal)
  await countLinkUpload(deps, session, subject)
  const owner = await loadLinkOwner(deps, session)
  const signing = presignUpload(deps, owner, file, subject, { until: session.expiresAt })
  const presigned = await signing.catch(hideOwnerLimit)
  await requireBegun(deps, session, token, presigned.key)
  return presigned
}

/** The sender of a file must not learn how much its owner has stored. Throws 429 instead of the limit. */
export function hideOwnerLimit(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'too_many_open_uploads') throw error
  throw new ApiError('upload_link_full', undefined, { headers: error.headers })
}

/** Counts an upload against the limits of the client address and of the link. Throws 410 and 429. */
export async function countLinkUpload(deps: Deps, session: StoredSession, subject: string): Promise<void> {
  if (session.attempts >= ATTEMPTS_MAX) {
    // Not a 429, because waiting does not help.
    throw new ApiError('upload_link_exhausted')
  }
  const { link_uploads_per_hour_per_ip: limit } = await loadSettings(deps.db, deps.clock.now())
  const policy = { name: 'link-uploads', limit, window_ms: HOUR_MS }
  const throttle = { subject, policy, attempt: 'link_uploads' } as const
  const block = blockSubject(subject)
  const shared = block === null ? [] : [{ ...throttle, subject: block, policy: widenPolicy(policy) }]
  await countUses(deps, [throttle, ...shared])
}

/** Assigns the upload to the link. Throws 409 or 410 if the link was closed concurrently. */
export async function requireBegun(deps: Deps, session: StoredSession, token: string, key: string) {
  if (await beginUpload(deps.db, session.id, key)) return
  await requireOpenLink(deps, token)
  throw new Error('the upload session changed too often')
}
