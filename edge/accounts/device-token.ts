import type { Deps } from '../deps.ts'
import { makeDatedToken, readTokenAge } from '../platform/crypto/dated-token.ts'
import { DAY_MS } from '../platform/rules/days.ts'

const LIFETIME_MS = 180 * DAY_MS

/** Makes the token by which a browser that signed in to this account is known there later. It signs nobody in. */
export function makeDeviceToken(
  { env, clock }: Deps,
  email: string,
): { token: string; lives_seconds: number } {
  const token = makeDatedToken(env.SESSION_KEYS, purposeOf(email), clock.now())
  return { token, lives_seconds: LIFETIME_MS / 1000 }
}

/** Whether the token is one that a sign-in to this account has left. */
export function isDeviceOf({ env, clock }: Deps, email: string, token: string): boolean {
  const age = readTokenAge(env.SESSION_KEYS, purposeOf(email), token, clock.now())
  return age !== null && age <= LIFETIME_MS
}

const purposeOf = (email: string) => `device of ${email.toLowerCase()}`
