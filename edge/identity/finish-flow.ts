import { hashKey } from '../api-keys/key-text.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import { type IdentityProvider, IdentityRefused } from './provider.ts'
import { takeFlow } from './queries.ts'
import { canFinishFlow, type Identity, type SignInMode } from './rules/sign-in.ts'

/** What comes back from the provider by the person's browser. */
export interface IdpAnswer {
  code: string
  state: string
  /** The secret that the browser which began it was given; undefined for clients that are no browsers. */
  browser: { secret: string | null } | undefined
}

/** Throws 404 where the sign-in by an identity provider is not offered. Contract: Accounts, Identity provider. */
export async function requireProvider(deps: Deps): Promise<IdentityProvider> {
  const { idp_auth_enabled } = await loadSettings(deps.db, deps.clock.now())
  if (deps.identityProvider !== null && idp_auth_enabled) return deps.identityProvider
  throw new ApiError('identity_provider_disabled')
}

/**
 * Returns who the provider says this is. A state is good once, for what it was begun for, and only for the client
 * that began it (canFinishFlow), so that nobody can be made to finish another person's sign-in.
 * Throws 400 where the answer can't be used, and 502 where the provider can't be reached.
 */
export async function finishFlow(
  deps: Deps,
  provider: IdentityProvider,
  mode: SignInMode,
  { code, state, browser }: IdpAnswer,
  session_id: string | null = null,
): Promise<{ identity: Identity; next: string }> {
  const flow = await takeFlow(deps.db, state, deps.clock.now())
  const browser_hash = browser && (await hashKey(browser.secret ?? ''))
  if (flow?.mode !== mode || !canFinishFlow(flow, { browser_hash, session_id })) {
    throw new ApiError('invalid_sign_in_state')
  }
  const { nonce, codeVerifier: code_verifier, next } = flow
  const identity = await ask(deps, () => provider.finish(code, { state, nonce, code_verifier }))
  return { identity, next }
}

/** Maps what the provider's side can fail with; the reason is in the operator's log alone. */
export async function ask<Answer>(deps: Deps, question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question()
  } catch (cause) {
    if (cause instanceof IdentityRefused) throw new ApiError('identity_rejected')
    deps.defer(Promise.reject(new Error('the identity provider failed', { cause })))
    throw new ApiError('identity_provider_unavailable')
  }
}
