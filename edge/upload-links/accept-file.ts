import type { Deps } from '../deps.ts'
import { purgeUpload } from '../jobs/purge.ts'
import { submitJob } from '../jobs/submit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { addressOf } from '../uploads/rules/addresses.ts'
import { loadLinkOwner, requireOpenLink } from './open-link.ts'
import { type StoredSession, transitionSession, useSessionStatement } from './queries.ts'

interface AcceptedFile {
  token: string
  session: StoredSession
  key: string
}

/**
 * Submits the job for a file sent through a link, and uses up the link in the same commit. Throws 402 if the owner
 * has too few credits, which fails the session; 429 if the owner has too many open jobs, which can be retried; 409
 * or 410 if the link was closed concurrently.
 */
export async function acceptFile(deps: Deps, file: AcceptedFile) {
  const { token, session, key } = file
  const owner = await loadLinkOwner(deps, session)
  const submission = {
    service_slug: session.serviceSlug,
    operation_key: session.operationKey,
    params: { ...session.params, file_url: addressOf(deps.env.PUBLIC_URL, key) },
    webhook_url: session.webhookUrl,
    tag: session.tag,
    metadata: session.metadata,
  }
  try {
    await submitJob(deps, owner, submission, {
      recheck: () => requireOpenLink(deps, token).then(() => undefined),
      extraStatements: ({ id }) => [useSessionStatement(deps.db, session.id, id)],
    })
  } catch (error) {
    if (error instanceof ApiError) throw await settleRefusal(deps, file, error)
    throw error
  }
  return { status: 'processing' as const, error: null, expires_at: isoTime(session.expiresAt) }
}

/** Updates the link after a refused submission, and returns the error for the sender. */
async function settleRefusal(deps: Deps, { session, key }: AcceptedFile, error: ApiError): Promise<ApiError> {
  const { status, headers } = error
  if (status === 429) return new ApiError('upload_link_busy', undefined, { headers })
  // A concurrent request may have used this same file, so it is kept until it expires.
  if (status === 409 || status === 410) return error
  const reason = status === 402 ? NO_CREDITS : error.message
  const failed = await transitionSession(
    deps.db,
    { ...session, status: 'uploading' },
    { status: 'failed', error: reason },
  )
  if (failed) deps.defer(purgeUpload(deps, key))
  return new ApiError(status === 402 ? 'upload_link_unpaid' : 'upload_link_failed')
}

const NO_CREDITS =
  'The balance did not cover the base charge of the file that was sent through this link: not enough credits.'
