import { insertFlow } from '../../db/sign-in.ts'
import type { Deps } from '../../deps.ts'
import { hashKey } from '../../integrations/api-key-text.ts'
import type { SignInMode } from '../../rules/sign-in.ts'
import { ask, requireProvider } from './identity.ts'

const FLOW_LIVES_MS = 10 * 60 * 1000

/**
 * Begins a sign-in at the identity provider: where to send the person, and a secret for the browser that
 * asked, the one it has where it has begun another already. Throws 404 where it is not offered, 502 where the provider can't be reached.
 */
export async function startIdpSignIn(
  deps: Deps,
  { next, mode }: { next: string; mode: SignInMode },
  knownSecret: string | null,
) {
  const provider = await requireProvider(deps)
  const { authorization_url, state, nonce, code_verifier } = await ask(deps, () => provider.begin(mode))
  const secret = knownSecret ?? crypto.randomUUID()
  const now = deps.clock.now()
  const flow = {
    state,
    nonce,
    codeVerifier: code_verifier,
    browserHash: await hashKey(secret),
    mode,
    next,
    expiresAt: now + FLOW_LIVES_MS,
  }
  await insertFlow(deps.db, flow, now)
  return { authorization_url, secret, lives_seconds: FLOW_LIVES_MS / 1000 }
}
