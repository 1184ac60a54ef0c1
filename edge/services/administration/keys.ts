import { findKey, revokeKeyStatement } from '../../db/administration.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { forgetCredentials } from '../accounts/authenticate.ts'
import { ApiError } from '../api-error.ts'
import { countUsedToday } from '../tokens/used-today.ts'
import { viewKey } from '../tokens/view.ts'
import { administer } from './audit.ts'

/**
 * Ends a key for good: it stops everywhere within five seconds, and its owner can neither enable nor delete
 * it. Revoking it again changes nothing. Throws 404. Specification: API key; States, API key.
 */
export async function revokeToken(deps: Deps, caller: SessionCaller, id: number) {
  await administer(deps, caller, async (now) => {
    const key = await findKey(deps.db, id)
    if (key === undefined) throw new ApiError(404, 'unknown API key')
    const entry = {
      action: 'token.revoke',
      target: `token:${id}`,
      before: { revoked: false },
      after: { revoked: true },
    }
    return {
      statements: [revokeKeyStatement(deps.db, id, now)],
      entries: key.revokedAt === null ? [entry] : [],
      answer: undefined,
    }
  })
  forgetCredentials(deps)
  const key = await findKey(deps.db, id)
  if (key === undefined) throw new ApiError(404, 'unknown API key')
  const [used = 0] = await countUsedToday(deps, key.accountId, [{ id, max_per_day: key.maxPerDay }])
  return viewKey(key, used)
}
