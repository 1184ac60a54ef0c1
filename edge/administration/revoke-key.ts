import { forgetCredentials } from '../accounts/authenticate.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { countUsedToday } from '../api-keys/used-today.ts'
import { viewKey } from '../api-keys/view.ts'
import type { Deps } from '../deps.ts'
import { atRow } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { administer } from './audit.ts'
import { findKey, revokeKeyStatement } from './queries.ts'

/**
 * Revokes a key permanently: it stops working within five seconds, and its owner can neither re-enable nor delete
 * it. Revoking it again changes nothing. Throws 404. Contract: API keys, Key states; Administration, Revoked keys.
 */
export async function revokeToken(asked: Deps, caller: SessionCaller, id: number) {
  const deps = await atRow(asked, ({ db }) => findKey(db, id))
  await administer(deps, caller, {
    load: () => findKey(deps.db, id),
    decide: (key, now) => {
      if (key === undefined) throw new ApiError('api_key_not_found')
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
    },
  })
  forgetCredentials(deps)
  const key = await findKey(deps.db, id)
  if (key === undefined) throw new ApiError('api_key_not_found')
  const [used = 0] = await countUsedToday(deps, key.accountId, [{ id, max_per_day: key.maxPerDay }])
  return viewKey(key, used)
}
