import { forgetCredentials } from '../accounts/authenticate.ts'
import { linkAccount } from '../accounts/link-identity.ts'
import { findAccount, loadCallerAccount } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { viewAccount } from '../accounts/view.ts'
import { whileAuthorized } from '../accounts/while-authorized.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { finishFlow, type IdpAnswer, requireProvider } from './finish-flow.ts'
import { unlinkIdentity } from './queries.ts'

/**
 * Links the caller's account to an identity; linking the same again changes nothing. Throws 401 if the
 * session was revoked, because a link would outlive it, and 409 if the identity or the account has a
 * different link. Contract: Accounts, Identity provider.
 */
export async function linkIdentity(deps: Deps, caller: SessionCaller, answer: IdpAnswer) {
  const provider = await requireProvider(deps)
  const { identity, next } = await finishFlow(deps, provider, 'link', answer, caller.session_id)
  const account = await whileAuthorized(deps, caller, (guard) =>
    linkAccount(deps, caller.account.id, identity, [guard]),
  )
  return { ...viewAccount(await loadCallerAccount(deps.db, account), deps.clock.now()), next }
}

/**
 * Unlinks the identity. Throws 409 if it is the only way to sign in. Contract: Accounts, Identity provider.
 */
export async function unlink(deps: Deps, caller: SessionCaller) {
  const unlinked = await unlinkIdentity(deps.db, caller.account.id)
  if (!unlinked) throw new ApiError('last_sign_in_method')
  forgetCredentials(deps)
  const account = await findAccount(deps.db, caller.account.id)
  if (account === undefined) throw new ApiError('invalid_bearer_token')
  return viewAccount(await loadCallerAccount(deps.db, account), deps.clock.now())
}
