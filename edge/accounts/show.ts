import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { findSessionAccount } from './queries.ts'
import type { SessionCaller } from './rules/caller.ts'
import { viewAccount } from './view.ts'

/** Reads the signed-in account from the database, because the authenticated caller may be a few seconds old. */
export async function showAccount(deps: Deps, { account, session_id, epoch }: SessionCaller) {
  const now = deps.clock.now()
  const found = await findSessionAccount(deps.db, { account_id: account.id, session_id, epoch }, now)
  if (found === undefined) throw new ApiError('invalid_bearer_token')
  return viewAccount(found.account, now)
}
