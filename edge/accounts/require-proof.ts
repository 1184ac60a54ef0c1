import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { findAccount } from './queries.ts'
import { requireCurrentPassword } from './require-current-password.ts'
import type { SessionCaller } from './rules/caller.ts'
import { isRecentSignIn } from './rules/recent-sign-in.ts'

/** Errors of requireProof. */
export const PROOF_ERRORS = [
  'current_password_required',
  'wrong_current_password',
  'recent_sign_in_required',
  'too_many_attempts',
] as const

/**
 * Requires a sign-in within the last 10 minutes or the current password, for changes of the ways into an account: a
 * stolen session must not become lasting access. Throws 400, 403 and 429.
 */
export async function requireProof(deps: Deps, caller: SessionCaller, current_password: string | undefined) {
  if (isRecentSignIn(caller, deps.clock.now())) return
  const account = await findAccount(deps.db, caller.account.id)
  if (account === undefined) throw new ApiError('invalid_bearer_token')
  if (account.passwordHash === null) throw new ApiError('recent_sign_in_required')
  await requireCurrentPassword(deps, account.id, account.passwordHash, current_password)
}
