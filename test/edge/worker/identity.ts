import { expect } from 'vitest'
import { insertFlow } from '../../../edge/identity/queries.ts'
import type { Identity, SignInMode } from '../../../edge/identity/rules/sign-in.ts'
import type { TestContext } from './context.ts'

/** Who somebody is at a provider that tells nothing more of them. */
export function freshIdentity(told: Partial<Identity> = {}): Identity {
  return {
    issuer: 'https://id.example',
    subject: crypto.randomUUID(),
    email: null,
    email_verified: false,
    full_name: null,
    locale: null,
    ...told,
  }
}

/**
 * What the provider sends a person back with.
 * @param ask what the provider answers when it is asked who they are; also what happens while it is asked.
 */
export async function comeBack({ deps }: TestContext, mode: SignInMode, ask: () => Promise<Identity>) {
  const provider = deps.identityProvider
  expect(provider).not.toBeNull()
  if (provider !== null) provider.finish = ask
  const flow = { state: crypto.randomUUID(), nonce: 'nonce', codeVerifier: 'verifier', mode, next: '/' }
  const now = deps.clock.now()
  const begun = { browserHash: '', sessionId: null, expiresAt: now + 60_000 }
  await insertFlow(deps.db, { ...flow, ...begun }, now)
  return { code: 'code', state: flow.state }
}
