import type { Deps } from '../deps.ts'
import { makeDatedToken, readTokenAge } from '../platform/crypto/dated-token.ts'
import { DAY_MS } from '../platform/rules/days.ts'

const LIFETIME_MS = 180 * DAY_MS

/**
 * Creates a token that identifies a browser that has signed in to this account. It does not sign anyone in.
 */
export function makeDeviceToken(
  { env, clock }: Deps,
  email: string,
): { token: string; lives_seconds: number } {
  const token = makeDatedToken(env.SESSION_KEYS, purposeOf(email), clock.now())
  return { token, lives_seconds: LIFETIME_MS / 1000 }
}

/** Checks that a token was issued by a sign-in to this account. */
export function isDeviceOf({ env, clock }: Deps, email: string, token: string): boolean {
  const age = readTokenAge(env.SESSION_KEYS, purposeOf(email), token, clock.now())
  return age !== null && age <= LIFETIME_MS
}

const purposeOf = (email: string) => `device of ${email.toLowerCase()}`
