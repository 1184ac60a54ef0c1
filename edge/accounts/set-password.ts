import type { Deps } from '../deps.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { passwordGuard } from '../identity/queries.ts'
import { passwordChangedEffect } from '../password-resets/emails.ts'
import { setPasswordStatements } from '../password-resets/queries.ts'
import { LostRace } from '../platform/database/commit.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { forgetCredentials } from './authenticate.ts'
import { hashPassword, isPassword } from './password-hash.ts'
import { type AccountRow, findAccount } from './queries.ts'
import type { SessionCaller } from './rules/caller.ts'
import { isWeakPassword } from './rules/passwords.ts'
import { showAccount } from './show.ts'
import { countUse, currentPasswordThrottle, giveUseBack } from './throttle.ts'

interface PasswordChange {
  current_password?: string | undefined
  new_password: string
}

/**
 * Sets a password, ends all other sessions and reset links, and emails the owner. If the account has no password, the current one is not required.
 * Throws 400 if the current password is missing or wrong, 422 if the new one is weak, 429 after too many wrong
 * passwords, and 409 if the password was changed concurrently. Contract: Accounts, Passwords.
 */
export async function setPassword(deps: Deps, caller: SessionCaller, change: PasswordChange) {
  const { id } = caller.account
  const account = await findAccount(deps.db, id)
  if (account === undefined) throw new ApiError('invalid_bearer_token')
  if (isWeakPassword(asciiEmail(change.new_password), account.email)) {
    throw invalidField('new_password', 'weak_password')
  }
  if (account.passwordHash !== null) {
    await requirePassword(deps, account.id, account.passwordHash, change.current_password)
  }
  await replacePassword(deps, caller, account, await hashPassword(change.new_password))
  forgetCredentials(deps)
  return showAccount(deps, caller)
}

/**
 * Commits the new password. Emails the owner only if the address is confirmed: an unconfirmed one may belong to
 * someone else.
 */
async function replacePassword(deps: Deps, caller: SessionCaller, account: AccountRow, hash: string) {
  const { id, passwordHash, emailVerifiedAt } = account
  const cause = { cause: crypto.randomUUID(), now: deps.clock.now() }
  try {
    await commitOnce(deps, {
      statements: [
        passwordGuard(deps.db, caller, passwordHash),
        ...setPasswordStatements(deps.db, id, hash, caller.session_id),
      ],
      effects: emailVerifiedAt === null ? [] : passwordChangedEffect(deps, account, cause),
      answer: undefined,
    })
  } catch (error) {
    throw error instanceof LostRace ? new ApiError('password_change_conflict') : error
  }
}

/**
 * Verifies the current password. Guesses are limited here too, because having a session does not prove that the
 * caller knows the password.
 */
async function requirePassword(deps: Deps, id: number, hash: string, given: string | undefined) {
  if (given === undefined) throw new ApiError('current_password_required')
  const { login_failures_max } = await loadSettings(deps.db, deps.clock.now())
  const counted = await countUse(deps, currentPasswordThrottle(id, login_failures_max))
  if (!(await isPassword(given, hash))) throw new ApiError('wrong_current_password')
  await giveUseBack(deps, counted)
}
