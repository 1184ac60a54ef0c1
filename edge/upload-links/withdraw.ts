import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { transitionSession } from './queries.ts'
import { refuseLink } from './rules/sessions.ts'
import { findOwnSession } from './show.ts'

/** Maximum number of attempts when the link keeps changing concurrently. */
const ATTEMPTS_MAX = 5

/**
 * Withdraws an upload link. A link that ended without a file stays unchanged. Throws 404, and 409 if the link was
 * used; its job can be canceled instead.
 */
export async function withdrawSession(deps: Deps, caller: AccountCaller, id: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { session } = await findOwnSession(deps, caller, id)
    const refusal = refuseLink(session.status, session.jobId !== null)
    if (refusal?.code === 'upload_link_used') throw new ApiError(refusal.code)
    if (refusal !== null) return
    if (await transitionSession(deps.db, session, { status: 'canceled' })) return
  }
  throw new Error('the upload session changed too often')
}
