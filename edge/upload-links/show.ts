import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Span } from '../platform/rules/paging.ts'
import { type FoundSession, findSession, readSessionsPage } from './queries.ts'
import { syncSession, syncSessions } from './sync.ts'
import { viewSession } from './view.ts'

/** Returns one of the caller's sessions in its current state. Throws 404, also for a cross-tenant id. */
export async function findOwnSession(
  deps: Deps,
  { account }: AccountCaller,
  id: string,
): Promise<FoundSession> {
  const found = await findSession(deps.db, account.id, id)
  if (found === undefined) throw new ApiError('upload_session_not_found')
  return syncSession(deps, found)
}

export async function showSession(deps: Deps, caller: AccountCaller, id: string) {
  return viewSession(deps, await findOwnSession(deps, caller, id))
}

/** Lists the caller's sessions, newest first. */
export async function showSessions(deps: Deps, { account }: AccountCaller, span: Span) {
  const page = await readSessionsPage(deps.db, account.id, span)
  const rows = await syncSessions(deps, page.rows)
  return { rows: rows.map((one) => viewSession(deps, one)), next: page.next }
}
