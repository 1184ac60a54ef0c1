import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import { listCodes } from './email-code-queries.ts'
import { findAccount } from './queries.ts'
import type { SessionCaller } from './rules/caller.ts'
import { isPending, type SentCode, secondsToSend } from './rules/confirmation-codes.ts'
import { welcomeCredits } from './rules/welcome.ts'

/**
 * Returns the verification status of the address and the credits it grants. Contract: Accounts, Email
 * confirmation.
 */
export async function showEmailStatus(deps: Deps, caller: SessionCaller) {
  const [settings, codes, account] = await Promise.all([
    loadSettings(deps.db, deps.clock.now()),
    listCodes(deps.db, caller.account.id),
    findAccount(deps.db, caller.account.id),
  ])
  if (account === undefined) throw new ApiError('invalid_bearer_token')
  const status = { email: account.email, email_verified: account.emailVerifiedAt !== null }
  return viewEmailStatus(status, codes, welcomeCredits(account, settings), deps.clock.now())
}

export function viewEmailStatus(
  { email, email_verified }: { email: string; email_verified: boolean },
  codes: readonly SentCode[],
  verify_bonus_credits: number,
  now: number,
) {
  return {
    email,
    email_verified,
    code_pending: !email_verified && isPending(codes[0], now),
    resend_available_in: email_verified ? 0 : secondsToSend(codes, now),
    verify_bonus_credits: email_verified ? 0 : verify_bonus_credits,
  }
}
