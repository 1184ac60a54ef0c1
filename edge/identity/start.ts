import { findAccountOf } from '../accounts/queries.ts'
import { requireProof } from '../accounts/require-proof.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { hashKey } from '../api-keys/key-text.ts'
import type { Deps } from '../deps.ts'
import { atHome, atRow } from '../platform/database/find-place.ts'
import { ask, requireProvider } from './finish-flow.ts'
import { insertFlow } from './queries.ts'
import type { SignInMode } from './rules/sign-in.ts'

const FLOW_LIVES_MS = 10 * 60 * 1000

/**
 * @param browser undefined if the client is not a browser. `secret` is from an earlier sign-in in the same browser.
 */
interface Beginner {
  browser: { secret: string | null } | undefined
  session: SessionCaller | null
}

interface Sought {
  next: string
  mode: SignInMode
  current_password?: string | undefined
}

/**
 * Starts a sign-in with the identity provider. Returns the URL to redirect to and a secret for the browser. For a link
 * with a session, throws 400, 403 and 429 without proof (requireProof). Throws 404 if no provider is configured and 502 if
 * the provider is unavailable.
 */
export async function startIdpSignIn(
  deps: Deps,
  { next, mode, current_password }: Sought,
  { browser, session }: Beginner,
) {
  const provider = await requireProvider(deps)
  const isProven = mode === 'link' && session !== null
  if (isProven) {
    const own = await atRow(deps, ({ db }) => findAccountOf(db, session.account.id))
    await requireProof(own, session, current_password)
  }
  const { authorization_url, state, nonce, code_verifier } = await ask(deps, () => provider.begin(mode))
  const secret = browser?.secret ?? crypto.randomUUID()
  const now = deps.clock.now()
  const flow = {
    state,
    nonce,
    codeVerifier: code_verifier,
    browserHash: browser === undefined ? '' : await hashKey(secret),
    sessionId: mode === 'link' ? (session?.session_id ?? null) : null,
    mode,
    isProven,
    next,
    expiresAt: now + FLOW_LIVES_MS,
  }
  await insertFlow(atHome(deps).db, flow, now)
  return { authorization_url, secret, lives_seconds: FLOW_LIVES_MS / 1000 }
}
