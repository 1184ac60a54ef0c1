import type { Deps } from '../deps.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { identityEffects } from '../identity/emails.ts'
import { passwordGuard } from '../identity/queries.ts'
import { passwordChangedEffect } from '../password-resets/emails.ts'
import { setPasswordStatements } from '../password-resets/queries.ts'
import { LostRace } from '../platform/database/commit.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { forgetCredentials } from './authenticate.ts'
import { hashPassword } from './password-hash.ts'
import { type AccountRow, findAccount } from './queries.ts'
import { requireCurrentPassword } from './require-current-password.ts'
import type { SessionCaller } from './rules/caller.ts'
import { isWeakPassword } from './rules/passwords.ts'
import { isRecentSignIn } from './rules/recent-sign-in.ts'
import { showAccount } from './show.ts'

interface PasswordChange {
  current_password?: string | undefined
  new_password: string
}

/**
 * Sets a password, ends all other sessions and reset links, and emails the owner. If the account has no password, the
 * current one is not required. Throws 400 if the current password is missing or wrong, 403 without it if
 * the sign-in was not recent, 422 if the new one is weak, 429
 * after too many wrong passwords, and 409 if the password was changed concurrently. Contract: Accounts, Passwords.
 */
export async function setPassword(deps: Deps, caller: SessionCaller, change: PasswordChange) {
  const { id } = caller.account
  const account = await findAccount(deps.db, id)
  if (account === undefined) throw new ApiError('invalid_bearer_token')
  if (isWeakPassword(asciiEmail(change.new_password), account.email)) {
    throw invalidField('new_password', 'weak_password')
  }
  if (account.passwordHash !== null) {
    await requireCurrentPassword(deps, account.id, account.passwordHash, change.current_password)
  } else if (!isRecentSignIn(caller, deps.clock.now())) throw new ApiError('recent_sign_in_required')
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
  const now = deps.clock.now()
  const cause = { cause: crypto.randomUUID(), now }
  const unlinks = endsLink(account)
  try {
    await commitOnce(deps, {
      statements: [
        passwordGuard(deps.db, caller, passwordHash),
        ...setPasswordStatements(deps.db, id, {
          ...{ passwordHash: hash, keptSession: caller.session_id },
          ...{ unlinks, now },
        }),
      ],
      effects: [
        ...(emailVerifiedAt === null ? [] : passwordChangedEffect(deps, account, cause)),
        ...(unlinks ? identityEffects(deps, account, 'unlinked', now) : []),
      ],
      answer: undefined,
    })
  } catch (error) {
    throw error instanceof LostRace ? new ApiError('password_change_conflict') : error
  }
}

/**
 * Whether a change of the password removes the identity: one that was linked after the password was set may be that of
 * someone who had a session. The first password keeps it, as the identity was the way to sign in until then.
 */
function endsLink({ idpSubject, idpLinkedAt, passwordHash, passwordSetAt }: AccountRow): boolean {
  if (idpSubject === null || passwordHash === null) return false
  return (idpLinkedAt ?? 0) > (passwordSetAt ?? 0)
}
