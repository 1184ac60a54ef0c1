import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import { isPassword } from './password-hash.ts'
import { countUse, currentPasswordThrottle, giveUsesBack } from './throttle.ts'

/**
 * Verifies the current password. Guesses are limited here too, because having a session does not prove that the
 * caller knows the password. Throws 400 and 429.
 */
export async function requireCurrentPassword(
  deps: Deps,
  accountId: number,
  hash: string,
  given: string | undefined,
): Promise<void> {
  if (given === undefined) throw new ApiError('current_password_required')
  const { login_failures_max } = await loadSettings(deps.db, deps.clock.now())
  const counted = await countUse(deps, currentPasswordThrottle(accountId, login_failures_max))
  if (!(await isPassword(given, hash))) throw new ApiError('wrong_current_password')
  await giveUsesBack(deps, [counted])
}
