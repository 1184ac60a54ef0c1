import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { stillAllowedQuery, stillAllowedStatement } from './credential-guard.ts'
import type { AccountCaller, LinkOwner } from './rules/caller.ts'

/**
 * For what makes one way into an account out of another: a credential is trusted for some seconds after it was
 * found good (authenticate.ts), but what is made by it would outlive it. Asks again, and as often as the commit of
 * `attempt`, which has `guard` among its statements, loses a race. Throws 401.
 */
export function whileAllowed<Answer>(
  deps: Deps,
  caller: AccountCaller,
  attempt: (guard: Statement) => Promise<Answer>,
): Promise<Answer> {
  return untilCommitted(async () => {
    requireFound(caller, await stillAllowedQuery(deps.db, caller))
    return attempt(stillAllowedStatement(deps.db, caller))
  })
}

/** @param found what stillAllowedQuery answered. Throws 401. */
export function requireFound(
  { kind }: Pick<AccountCaller | LinkOwner, 'kind'>,
  found: readonly unknown[],
): void {
  if (found.length > 0) return
  throw new ApiError(kind === 'session' ? 'invalid_bearer_token' : 'invalid_api_key')
}
