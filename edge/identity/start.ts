import { hashKey } from '../api-keys/key-text.ts'
import type { Deps } from '../deps.ts'
import { atHome } from '../platform/database/find-place.ts'
import { ask, requireProvider } from './finish-flow.ts'
import { insertFlow } from './queries.ts'
import type { SignInMode } from './rules/sign-in.ts'

const FLOW_LIVES_MS = 10 * 60 * 1000

/**
 * @param browser undefined if the client is not a browser. `secret` is from an earlier sign-in in the same browser.
 */
interface Beginner {
  browser: { secret: string | null } | undefined
  session_id: string | null
}

/**
 * Starts a sign-in with the identity provider. Returns the URL to redirect to and a secret for the browser. Throws
 * 404 if no provider is configured and 502 if the provider is unavailable.
 */
export async function startIdpSignIn(
  deps: Deps,
  { next, mode }: { next: string; mode: SignInMode },
  { browser, session_id }: Beginner,
) {
  const provider = await requireProvider(deps)
  const { authorization_url, state, nonce, code_verifier } = await ask(deps, () => provider.begin(mode))
  const secret = browser?.secret ?? crypto.randomUUID()
  const now = deps.clock.now()
  const flow = {
    state,
    nonce,
    codeVerifier: code_verifier,
    browserHash: browser === undefined ? '' : await hashKey(secret),
    sessionId: mode === 'link' ? session_id : null,
    mode,
    next,
    expiresAt: now + FLOW_LIVES_MS,
  }
  await insertFlow(atHome(deps).db, flow, now)
  return { authorization_url, secret, lives_seconds: FLOW_LIVES_MS / 1000 }
}
