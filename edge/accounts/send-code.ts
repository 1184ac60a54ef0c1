import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { drawWord, hashCode } from './confirmation-codes.ts'
import { insertCodeStatements, listCodes } from './email-code-queries.ts'
import { findAccount } from './queries.ts'
import type { SessionCaller } from './rules/caller.ts'
import { CODE_LIVES_MS, forgottenBefore, makeCode, secondsToSend } from './rules/confirmation-codes.ts'
import { welcomeCredits } from './rules/welcome.ts'
import { viewEmailStatus } from './show-email-status.ts'
import { tooMany } from './throttle.ts'

/**
 * Sends a 6-digit code to the account's email address and invalidates the previous one. Throws 409 if the address
 * is already verified, 429 if a code was sent too recently, and 503 if email is unavailable. Contract: Accounts,
 * Email confirmation.
 */
export async function sendCode(deps: Deps, caller: SessionCaller) {
  const account_id = caller.account.id
  const settings = await loadSettings(deps.db, deps.clock.now())
  if (deps.mailer === null || !settings.email_verification_enabled) {
    throw new ApiError('email_confirmation_unavailable')
  }
  // The newest code's number decides between concurrent requests; the second one is refused as too early.
  return unitOfWork(deps, {
    load: () => Promise.all([findAccount(deps.db, account_id), listCodes(deps.db, account_id)]),
    decide: ([account, codes], now) => {
      if (account === undefined) throw new ApiError('invalid_bearer_token')
      if (account.emailVerifiedAt !== null) throw new ApiError('email_already_confirmed')
      const wait_seconds = secondsToSend(codes, now)
      if (wait_seconds > 0) throw tooMany('codes', wait_seconds)
      const code = makeCode(drawWord)
      const number = (codes[0]?.number ?? 0) + 1
      const expires_at = now + CODE_LIVES_MS
      const effect = mailEffect(`code:${account_id}:${number}`, {
        to: account.email,
        locale: account.locale,
        content: { kind: 'code', code, minutes: CODE_LIVES_MS / 60_000 },
        useful_until: expires_at,
      })
      const row = {
        accountId: account_id,
        number,
        hash: hashCode(deps.env.SESSION_KEYS, { account_id, number }, code),
        sentAt: now,
        expiresAt: expires_at,
      }
      const sent = { number, sent_at: now, expires_at, used_at: null, guesses: 0 }
      const shown = { email: account.email, email_verified: false }
      return {
        statements: insertCodeStatements(deps.db, row, forgottenBefore(now)),
        effects: [effect],
        answer: viewEmailStatus(shown, [sent, ...codes], welcomeCredits(account, settings), now),
      }
    },
  })
}
