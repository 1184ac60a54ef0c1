import type { Deps } from '../../deps.ts'
import type { QuotaPolicy } from '../../rules/quota.ts'
import { ApiError } from '../api-error.ts'

/** What may be tried so often, by whom. */
export interface Throttle {
  /** Who or what is counted. */
  subject: string
  policy: QuotaPolicy
  /** Ends a sentence: "too many …". */
  what: string
}

const MINUTE_MS = 60_000

export function registrationThrottle(client: string, limit: number): Throttle {
  const policy = { name: 'registrations', limit, window_ms: 60 * MINUTE_MS }
  return { subject: `register:${client}`, policy, what: 'new accounts from this network' }
}

const guesses = (limit: number) => ({ name: 'failed-sign-ins', limit, window_ms: 15 * MINUTE_MS })

/** Guesses of a session's holder at the account's password. */
export function currentPasswordThrottle(accountId: number, limit: number): Throttle {
  return { subject: `password:${accountId}`, policy: guesses(limit), what: 'wrong passwords' }
}

/** Guesses at a password, from one network and at one account: whichever is used up first. */
export function loginThrottles(client: string, emailKey: string, limit: number): Throttle[] {
  const policy = guesses(limit)
  return [
    { subject: `login:ip:${client}`, policy, what: 'failed sign-ins from this network' },
    { subject: `login:address:${emailKey}`, policy, what: 'failed sign-ins for this address' },
  ]
}

/** Counts one use, before anything is tried, so that those made at once count too. Throws 429. */
export async function countUse(deps: Deps, { subject, policy, what }: Throttle): Promise<void> {
  const [standing] = await deps.quotas.useExactly(subject, [policy], deps.clock.now())
  if (standing?.allowed) return
  throw tooMany(what, standing?.reset_seconds ?? 60)
}

/** What succeeded was no guess: its use is given back after the answer. */
export function giveUseBack(deps: Deps, { subject, policy }: Throttle): void {
  deps.defer(deps.quotas.giveBack(subject, policy))
}

/** 429, with the time to wait in words and in Retry-After. */
export function tooMany(what: string, seconds: number): ApiError {
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return new ApiError(429, `too many ${what}; try again in ${wait}`, { 'Retry-After': String(seconds) })
}
