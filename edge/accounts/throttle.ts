import type { Deps } from '../deps.ts'
import { networkPolicy, pairPolicies } from '../password-resets/rules/reset-link.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Attempt } from '../platform/errors/rules/attempts.ts'
import { blockOf, widenPolicy } from '../platform/http/rules/client-address.ts'
import type { QuotaPolicy } from '../platform/quotas/rules/lease.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import type { Settings } from '../settings/rules/settings.ts'

/** Limits the attempts of one subject. */
export interface Throttle {
  /** The subject whose attempts are counted. */
  subject: string
  policy: QuotaPolicy
  attempt: Attempt
}

const MINUTE_MS = 60_000

/** Limits the attempts of a client's network, and those of its IPv6 block. Contract: Limits, Networks. */
function networkThrottles(purpose: string, client: string, throttle: Omit<Throttle, 'subject'>): Throttle[] {
  const block = blockOf(client)
  const own = { ...throttle, subject: `${purpose}:${client}` }
  if (block === null) return [own]
  return [own, { ...own, subject: `${purpose}:${block}`, policy: widenPolicy(throttle.policy) }]
}

export function registrationThrottles(client: string, limit: number): Throttle[] {
  const policy = { name: 'registrations', limit, window_ms: 60 * MINUTE_MS }
  return networkThrottles('register', client, { policy, attempt: 'registrations' })
}

export function registrationAttemptThrottles(client: string, limit: number): Throttle[] {
  const policy = { name: 'registration-attempts', limit, window_ms: 60 * MINUTE_MS }
  return networkThrottles('register-attempt', client, { policy, attempt: 'registration_attempts' })
}

const guesses = (limit: number) => ({ name: 'failed-sign-ins', limit, window_ms: 15 * MINUTE_MS })

/** Limits guesses at the current password by a signed-in session. */
export function currentPasswordThrottle(accountId: number, limit: number): Throttle {
  return { subject: `password:${accountId}`, policy: guesses(limit), attempt: 'current_passwords' }
}

/**
 * Limits requests for a link that sets a new password: per network, and per network and address, whether the address
 * has an account or not.
 */
export function passwordResetThrottles(
  client: string,
  emailKey: string,
  limits: Pick<Settings, 'password_resets_per_hour_per_ip'>,
): Throttle[] {
  const networks = networkThrottles('password-reset:ip', client, {
    policy: networkPolicy(limits.password_resets_per_hour_per_ip),
    attempt: 'password_resets_of_network',
  })
  const pair = `${emailKey} ${client}`
  const ofPair = pairPolicies(pair).map((policy): Throttle => {
    return { subject: `password-reset:pair:${shardOf(pair)}`, policy, attempt: 'password_resets' }
  })
  return [...networks, ...ofPair]
}

/** Limits exports of an account's data, which read all of its rows. */
export function exportThrottle(accountId: number): Throttle {
  return {
    subject: `export:${accountId}`,
    policy: { name: 'exports', limit: 3, window_ms: DAY_MS },
    attempt: 'exports',
  }
}

type LoginLimits = Pick<
  Settings,
  'login_failures_max' | 'login_failures_per_ip_max' | 'login_failures_per_account_max'
>

/**
 * Limits password guesses from browsers that have never signed in to the account: per network, per network and
 * account, and per account, because guesses may come from many networks.
 */
export function loginThrottles(client: string, emailKey: string, limits: LoginLimits): Throttle[] {
  return [
    ...networkThrottles('login:ip', client, {
      policy: guesses(limits.login_failures_per_ip_max),
      attempt: 'sign_ins_of_network',
    }),
    pairThrottle(client, emailKey, limits),
    {
      subject: `login:address:${shardOf(emailKey)}`,
      policy: { ...guesses(limits.login_failures_per_account_max), counter: emailKey },
      attempt: 'sign_ins_of_address',
    },
  ]
}

/**
 * Limits guesses from all browsers that have signed in to the account before. Guesses from elsewhere do not lock them out,
 * and they have no more guesses from one network than others do.
 */
export function deviceThrottles(
  accountKey: string,
  client: string,
  emailKey: string,
  limits: LoginLimits,
): Throttle[] {
  const known: Throttle = {
    subject: `login:devices:${accountKey}`,
    policy: guesses(limits.login_failures_max),
    attempt: 'sign_ins_of_browser',
  }
  return [pairThrottle(client, emailKey, limits), known]
}

function pairThrottle(client: string, emailKey: string, limits: LoginLimits): Throttle {
  const pair = `${emailKey} ${client}`
  return {
    subject: `login:pair:${shardOf(pair)}`,
    policy: { ...guesses(limits.login_failures_max), counter: pair },
    attempt: 'sign_ins_of_network_and_address',
  }
}

const SHARDS = 16

/**
 * Maps addresses to shared counter objects. The first use of an object is slow, so using one object per address
 * would reveal whether anyone signs in with that address.
 */
function shardOf(text: string): number {
  let hash = 0
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hash % SHARDS
}

/** A counted use, with the data needed to refund it. */
export interface CountedUse {
  subject: string
  policy: QuotaPolicy
  at: number
}

/** Counts one use before the attempt, so concurrent attempts count too. Throws 429. */
export async function countUse(deps: Deps, { subject, policy, attempt }: Throttle): Promise<CountedUse> {
  const [standing] = await deps.quotas.useExactly(subject, [policy], deps.clock.now())
  if (!standing?.allowed) throw tooMany(attempt, standing?.reset_seconds ?? 60)
  return { subject, policy, at: standing.at }
}

/**
 * Counts one use on each throttle in order, so a network that has reached its limit does not use up what others share
 * with it. A refused use is counted on no throttle. Throws 429.
 */
export async function countUses(deps: Deps, throttles: readonly Throttle[]): Promise<CountedUse[]> {
  const counted: CountedUse[] = []
  for (const throttle of throttles) {
    const use = await countUse(deps, throttle).catch(async (error: unknown) => {
      await giveUsesBack(deps, counted)
      throw error
    })
    counted.push(use)
  }
  return counted
}

/** Refunds uses after a successful attempt. If a refund fails, one fewer guess remains. */
export async function giveUsesBack(deps: Deps, uses: readonly CountedUse[]): Promise<void> {
  const refunds = uses.map(({ subject, policy, at }) => deps.quotas.giveBack(subject, policy, at))
  await Promise.all(refunds.map((refund) => refund.catch((error) => deps.defer(Promise.reject(error)))))
}

/** Returns a 429 error that states the wait in words and in Retry-After. */
export function tooMany(attempt: Attempt, retry_after_seconds: number): ApiError {
  return new ApiError('too_many_attempts', { attempt, retry_after_seconds })
}
