import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { authorizedAccountQuery, credentialGuard } from './credential-guard.ts'
import type { AccountCaller, LinkOwner } from './rules/caller.ts'

/**
 * Runs `attempt`, which creates a new way into the account, while the credential is valid. Authentication is
 * cached for seconds (authenticate.ts), so the credential is checked again, also whenever a commit with
 * `guard` loses a race. Throws 401.
 */
export function whileAuthorized<Answer>(
  deps: Deps,
  caller: AccountCaller,
  attempt: (guard: Statement) => Promise<Answer>,
): Promise<Answer> {
  return untilCommitted(async () => {
    requireFound(caller, await authorizedAccountQuery(deps.db, caller))
    return attempt(credentialGuard(deps.db, caller))
  })
}

/**
 * Throws 401 unless the query found the account.
 * @param found the result of the credential query.
 */
export function requireFound(
  { kind }: Pick<AccountCaller | LinkOwner, 'kind'>,
  found: readonly unknown[],
): void {
  if (found.length > 0) return
  throw new ApiError(kind === 'session' ? 'invalid_bearer_token' : 'invalid_api_key')
}
