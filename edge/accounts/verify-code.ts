import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { confirmAddress } from './confirm-address.ts'
import { hashCode, isSameHash } from './confirmation-codes.ts'
import { countGuess, findNewestCode, listCodes } from './email-code-queries.ts'
import type { SessionCaller } from './rules/caller.ts'
import { GUESSES_MAX, secondsToSend } from './rules/confirmation-codes.ts'
import { showEmailStatus } from './show-email-status.ts'
import { tooMany } from './throttle.ts'

/**
 * Verifies the account's address with a code. Verifying it again grants nothing. Throws 400 for a wrong or expired
 * code and 429 after too many guesses. Contract: Accounts, Email confirmation.
 */
export async function verifyCode(deps: Deps, caller: SessionCaller, code: string) {
  const account_id = caller.account.id
  const newest = await findNewestCode(deps.db, account_id)
  if (newest === undefined) return answerUncounted(deps, caller)
  const { number, hash } = newest
  const is_right = isSameHash(hash, hashCode(deps.env.SESSION_KEYS, { account_id, number }, code))
  const guesses = await countGuess(deps.db, account_id, { number, is_right }, deps.clock.now())
  if (guesses === undefined) return answerUncounted(deps, caller)
  if (!is_right) throw new ApiError('wrong_confirmation_code', { guesses_left: GUESSES_MAX - guesses })
  return confirmAddress(deps, account_id)
}

/** Responds to a guess that was not counted, without revealing whether it was correct. */
async function answerUncounted(deps: Deps, caller: SessionCaller) {
  const { email_verified } = await showEmailStatus(deps, caller)
  if (email_verified) return { email_verified, granted_credits: 0 }
  const codes = await listCodes(deps.db, caller.account.id)
  const now = deps.clock.now()
  const [newest] = codes
  // The correct code was entered. The verification is still running or was interrupted.
  if (newest !== undefined && newest.used_at !== null) return confirmAddress(deps, caller.account.id)
  if (newest !== undefined && newest.guesses >= GUESSES_MAX && newest.expires_at > now) {
    throw tooMany('code_guesses', Math.max(1, secondsToSend(codes, now)))
  }
  throw new ApiError('confirmation_code_expired')
}
