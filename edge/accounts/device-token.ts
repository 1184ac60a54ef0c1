import type { Deps } from '../deps.ts'
import { makeDatedToken, readTokenAge } from '../platform/crypto/dated-token.ts'
import { DAY_MS } from '../platform/rules/days.ts'

const LIFETIME_MS = 180 * DAY_MS

/** The account that a token belongs to. A change of the epoch, for example with the password, makes it worthless. */
interface DeviceOwner {
  publicKey: string
  sessionEpoch: number
}

/** Creates a token that identifies a browser that has signed in to this account. It does not sign anyone in. */
export function makeDeviceToken(
  { env, clock }: Deps,
  owner: DeviceOwner,
): { token: string; lives_seconds: number } {
  const token = makeDatedToken(env.SESSION_KEYS, purposeOf(owner), clock.now())
  return { token, lives_seconds: LIFETIME_MS / 1000 }
}

/** Checks that a token was issued by a sign-in to this account, in its current epoch. */
export function isDeviceOf({ env, clock }: Deps, owner: DeviceOwner, token: string): boolean {
  const age = readTokenAge(env.SESSION_KEYS, purposeOf(owner), token, clock.now())
  return age !== null && age <= LIFETIME_MS
}

const purposeOf = ({ publicKey, sessionEpoch }: DeviceOwner) => `device of ${publicKey} ${sessionEpoch}`
