import { forgetCredentials } from '../accounts/authenticate.ts'
import { requireAuthorized } from '../accounts/authorized-work.ts'
import { credentialGuard } from '../accounts/credential-guard.ts'
import { linkAccount } from '../accounts/link-identity.ts'
import { findAccount, loadCallerAccount } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { viewAccount } from '../accounts/view.ts'
import type { Deps } from '../deps.ts'
import { untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { finishFlow, type IdpAnswer, requireProvider } from './finish-flow.ts'
import { unlinkIdentity } from './queries.ts'

/**
 * Links the caller's account to an identity. Linking the same identity again changes nothing. Throws 401 if the
 * session was revoked, because a link would outlive it. Throws 409 if the identity or the account is already linked
 * elsewhere. Contract: Accounts, Identity provider.
 */
export async function linkIdentity(deps: Deps, caller: SessionCaller, answer: IdpAnswer) {
  const provider = await requireProvider(deps)
  const { identity, next } = await finishFlow(deps, provider, 'link', answer, caller.session_id)
  const account = await untilCommitted(async () => {
    await requireAuthorized(deps, caller)
    return linkAccount(deps, caller.account.id, identity, [credentialGuard(deps.db, caller)])
  })
  return { ...viewAccount(await loadCallerAccount(deps.db, account), deps.clock.now()), next }
}

/**
 * Unlinks the identity. Throws 409 if it is the account's only way to sign in. Contract: Accounts, Identity
 * provider.
 */
export async function unlink(deps: Deps, caller: SessionCaller) {
  const unlinked = await unlinkIdentity(deps.db, caller.account.id)
  if (!unlinked) throw new ApiError('last_sign_in_method')
  forgetCredentials(deps)
  const account = await findAccount(deps.db, caller.account.id)
  if (account === undefined) throw new ApiError('invalid_bearer_token')
  return viewAccount(await loadCallerAccount(deps.db, account), deps.clock.now())
}
