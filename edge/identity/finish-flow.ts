import { hashKey } from '../api-keys/key-text.ts'
import type { Deps } from '../deps.ts'
import { atHome } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import { type IdentityProvider, IdentityRefused } from './provider.ts'
import { consumeFlow } from './queries.ts'
import { canFinishFlow, type Identity, type SignInMode } from './rules/sign-in.ts'

/** The provider's response, delivered by the user's browser. */
export interface IdpAnswer {
  code: string
  state: string
  /** Secret of the browser that started the sign-in; undefined if the client is not a browser. */
  browser: { secret: string | null } | undefined
}

/** Returns the identity provider. Throws 404 if none is configured. Contract: Accounts, Identity provider. */
export async function requireProvider(deps: Deps): Promise<IdentityProvider> {
  const { idp_auth_enabled } = await loadSettings(deps.db, deps.clock.now())
  if (deps.identityProvider !== null && idp_auth_enabled) return deps.identityProvider
  throw new ApiError('identity_provider_disabled')
}

/**
 * Returns the identity that the provider confirms. A state works only once, and only for the mode and client that
 * started the flow (canFinishFlow), so nobody can be tricked into finishing another person's sign-in. Throws 400
 * for an invalid response and 502 if the provider is unavailable.
 */
export async function finishFlow(
  deps: Deps,
  provider: IdentityProvider,
  mode: SignInMode,
  { code, state, browser }: IdpAnswer,
  session_id: string | null = null,
): Promise<{ identity: Identity; next: string }> {
  const flow = await consumeFlow(atHome(deps).db, state, deps.clock.now())
  const browser_hash = browser && (await hashKey(browser.secret ?? ''))
  if (flow?.mode !== mode || !canFinishFlow(flow, { browser_hash, session_id })) {
    throw new ApiError('invalid_sign_in_state')
  }
  const { nonce, codeVerifier: code_verifier, next } = flow
  const identity = await ask(deps, () => provider.finish(code, { state, nonce, code_verifier }))
  return { identity, next }
}

/** Maps the provider's errors to API errors. The reason is logged but not returned. */
export async function ask<Answer>(deps: Deps, question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question()
  } catch (cause) {
    if (cause instanceof IdentityRefused) throw new ApiError('identity_rejected')
    deps.defer(Promise.reject(new Error('the identity provider failed', { cause })))
    throw new ApiError('identity_provider_unavailable')
  }
}
