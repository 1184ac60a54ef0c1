import { expect } from 'vitest'
import { insertFlow } from '../../../edge/identity/queries.ts'
import type { Identity, SignInMode } from '../../../edge/identity/rules/sign-in.ts'
import type { TestContext } from './context.ts'

/** Creates an identity for which the provider discloses only the subject. */
export function freshIdentity(claims: Partial<Identity> = {}): Identity {
  return {
    issuer: 'https://id.example',
    subject: crypto.randomUUID(),
    email: null,
    email_verified: false,
    full_name: null,
    locale: null,
    ...claims,
  }
}

/**
 * Prepares a user's return from the identity provider.
 * @param ask replaces the provider's code exchange and can run other code in the meantime
 * @returns the query string of the return URL
 */
export async function prepareReturn({ deps }: TestContext, mode: SignInMode, ask: () => Promise<Identity>) {
  const provider = deps.identityProvider
  expect(provider).not.toBeNull()
  if (provider !== null) provider.finish = ask
  const flow = { state: crypto.randomUUID(), nonce: 'nonce', codeVerifier: 'verifier', mode, next: '/' }
  const now = deps.clock.now()
  const flowState = { browserHash: '', sessionId: null, isProven: false, expiresAt: now + 60_000 }
  await insertFlow(deps.db, { ...flow, ...flowState }, now)
  return { code: 'code', state: flow.state }
}
