import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { moveSession } from './queries.ts'
import { refuseLink } from './rules/sessions.ts'
import { findOwnSession } from './show.ts'

/** How often it looks again where the link was moved on meanwhile; it can't be for long. */
const ATTEMPTS_MAX = 5

/**
 * DELETE /upload-sessions/{session_id}: nothing can be sent by the link any more. One that ended without a
 * file is left as it is. Throws 404, and 409 once it was used: its job can be canceled instead.
 */
export async function withdrawSession(deps: Deps, caller: AccountCaller, id: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { session } = await findOwnSession(deps, caller, id)
    const refusal = refuseLink(session.status, session.jobId !== null)
    if (refusal?.code === 'upload_link_used') throw new ApiError(refusal.code)
    if (refusal !== null) return
    if (await moveSession(deps.db, session, { status: 'canceled' })) return
  }
  throw new Error('an upload session did not stand still')
}
