import { formText, translated } from '../../shared/forms/form-text.ts'
import { formOf } from '../../shared/operations/forms.ts'
import { findOperation } from '../../shared/operations/index.ts'
import type { ServiceSlug } from '../../shared/planning/operation.ts'
import type { Locale } from '../../shared/text/texts.ts'
import { findAccount, loadCallerAccount } from '../accounts/queries.ts'
import type { LinkOwner } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { requireAllKnown } from '../platform/database/known-databases.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import { ERRORS } from '../platform/errors/rules/table.ts'
import { isoTime } from '../platform/iso-time.ts'
import { PROXIED_BYTES_MAX } from '../uploads/rules/limits.ts'
import { hashLinkToken } from './link-token.ts'
import { findSessionByToken, type StoredSession } from './queries.ts'
import { refuseLink } from './rules/sessions.ts'
import { syncSession } from './sync.ts'
import { sessionErrorText } from './view.ts'

async function findLink(deps: Deps, token: string) {
  const found = await findSessionByToken(deps.db, hashLinkToken(token))
  if (found === undefined) {
    await requireAllKnown(deps)
    throw new ApiError('upload_link_not_found')
  }
  return syncSession(deps, found)
}

/** Returns an open link. Throws 404, 409 if the link was used, and 410 if it has expired or was withdrawn. */
export async function requireOpenLink(deps: Deps, token: string): Promise<StoredSession> {
  const { session } = await findLink(deps, token)
  const refusal = refuseLink(session.status, session.jobId !== null)
  if (refusal !== null) throw toError(refusal)
  return session
}

/** Loads the account that pays for the file. Throws 410 if the account is blocked. */
export async function loadLinkOwner({ db }: Deps, { accountId }: StoredSession): Promise<LinkOwner> {
  const row = await findAccount(db, accountId)
  if (row === undefined || row.blockedAt !== null) {
    throw new ApiError('upload_link_closed')
  }
  return { kind: 'bridge', account: await loadCallerAccount(db, row) }
}

export function boundsOf({ allowedMimeTypes, maxSizeBytes }: StoredSession) {
  return { allowed_mime_types: allowedMimeTypes, max_size_bytes: maxSizeBytes }
}

export function operationOf({ serviceSlug, operationKey }: StoredSession) {
  return findOperation(serviceSlug as ServiceSlug, operationKey)
}

/** Describes what happens to the file. The code may no longer have the operation of an old link. */
function describeOperation(session: StoredSession, locale: Locale) {
  const operation = operationOf(session)
  if (operation === undefined) return { title: session.operationKey, description: '', summary: '' }
  const form = formOf(operation)
  return {
    title: translated(locale, operation.title, form.title),
    description: translated(locale, operation.description, form.description),
    summary: formText(locale, form.summary),
  }
}

/** Shows which files a link accepts and what they are used for. Throws like requireOpenLink. */
export async function showLink(deps: Deps, token: string, locale: Locale) {
  const session = await requireOpenLink(deps, token)
  await loadLinkOwner(deps, session)
  return {
    status: session.status as 'pending' | 'uploading',
    service_slug: session.serviceSlug,
    operation_key: session.operationKey,
    ...describeOperation(session, locale),
    ...boundsOf(session),
    form_size_bytes_max: Math.min(session.maxSizeBytes, PROXIED_BYTES_MAX),
    note: session.note,
    expires_at: isoTime(session.expiresAt),
  }
}

/** Shows the status of the sent file to its sender. Throws 404. */
export async function showLinkState(deps: Deps, token: string) {
  const { session, job } = await findLink(deps, token)
  const { status, error, jobId } = session
  const generic = error === null ? null : ERRORS.upload_link_failed.detail[deps.locale]
  return {
    status,
    // If there is no job, the reason concerns only the owner, so the sender gets a generic error.
    error: jobId === null ? generic : sessionErrorText(error, job, deps.locale),
    expires_at: isoTime(session.expiresAt),
  }
}
