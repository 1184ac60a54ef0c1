import { forgetCredentials } from '../accounts/authenticate.ts'
import { authorizedWork, requireAuthorized } from '../accounts/authorized-work.ts'
import { credentialGuard } from '../accounts/credential-guard.ts'
import { linkAccount } from '../accounts/link-identity.ts'
import { findAccount, loadCallerAccount } from '../accounts/queries.ts'
import { requireProof } from '../accounts/require-proof.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { showAccount } from '../accounts/show.ts'
import { viewAccount } from '../accounts/view.ts'
import type { Deps } from '../deps.ts'
import { untilCommitted } from '../platform/database/commit.ts'
import { atHome } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { identityEffects } from './emails.ts'
import { finishFlow, type IdpAnswer, requireProvider } from './finish-flow.ts'
import { isProvenFlow, unlinkStatements } from './queries.ts'

/**
 * Links the caller's account to an identity. Linking the same identity again changes nothing. Throws 401 if the
 * session was revoked, because a link would outlive it, and 400, 403 and 429 without proof (requireProof), either here or
 * when the link was started. Throws 409 if the identity or the account is already linked
 * elsewhere. Contract: Accounts, Identity provider.
 */
export async function linkIdentity(
  deps: Deps,
  caller: SessionCaller,
  { current_password, ...answer }: IdpAnswer & { current_password?: string | undefined },
) {
  const provider = await requireProvider(deps)
  // Before the state and the code are used up, so that a wrong password can be corrected.
  if (!(await isProvenFlow(atHome(deps).db, answer.state, caller.session_id)))
    await requireProof(deps, caller, current_password)
  const { identity, next } = await finishFlow(deps, provider, 'link', answer, caller.session_id)
  const account = await untilCommitted(async () => {
    await requireAuthorized(deps, caller)
    return linkAccount(deps, caller.account.id, identity, [credentialGuard(deps.db, caller)])
  })
  return { ...viewAccount(await loadCallerAccount(deps.db, account), deps.clock.now()), next }
}

/**
 * Unlinks the identity and emails the owner. Throws 400, 403 and 429 without proof (requireProof), and 409 if it is the
 * account's only way to sign in. Contract: Accounts, Identity provider.
 */
export async function unlink(deps: Deps, caller: SessionCaller, current_password: string | undefined) {
  const { id } = caller.account
  await requireProof(deps, caller, current_password)
  await authorizedWork(deps, caller, {
    load: () => findAccount(deps.db, id),
    decide: (account, now) => {
      if (account === undefined) throw new ApiError('invalid_bearer_token')
      if (account.passwordHash === null) throw new ApiError('last_sign_in_method')
      if (account.idpSubject === null) return { answer: undefined }
      const effects = identityEffects(deps, account, 'unlinked', now)
      return { statements: unlinkStatements(deps.db, id), effects, answer: undefined }
    },
  })
  forgetCredentials(deps)
  return showAccount(deps, caller)
}
