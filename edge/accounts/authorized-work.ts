import type { Deps } from '../deps.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { type UnitOfWork, unitOfWork } from '../platform/unit-of-work.ts'
import { authorizedAccountQuery, credentialGuard } from './credential-guard.ts'
import type { AccountCaller, LinkOwner } from './rules/caller.ts'
import { touchAccountStatement } from './session-queries.ts'

/**
 * Runs a unit of work that commits only while the caller's credential is valid. Used for changes that create or
 * reveal a way into the account. Authentication is cached for a few seconds (authenticate.ts), so this checks the
 * credential again, and once more in the commit. Throws 401.
 */
export function authorizedWork<Facts, Answer>(
  deps: Deps,
  caller: AccountCaller,
  { load, decide, sending }: UnitOfWork<Facts, Answer>,
): Promise<Answer> {
  return unitOfWork(deps, {
    load: async () => {
      await requireAuthorized(deps, caller)
      return load()
    },
    decide: (facts, now) => {
      const { statements = [], ...decision } = decide(facts, now)
      const guards = [credentialGuard(deps.db, caller)]
      // Some of this work, such as a sign-out, writes no row that names the account, which may be moving.
      if (isSpread(deps)) guards.push(touchAccountStatement(deps.db, caller.account.id))
      return { ...decision, statements: [...guards, ...statements] }
    },
    sending,
  })
}

/** Checks the credential, bypassing the cache. Throws 401 if it has been revoked. */
export async function requireAuthorized({ db }: Deps, caller: AccountCaller): Promise<void> {
  requireFound(caller, await authorizedAccountQuery(db, caller))
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
