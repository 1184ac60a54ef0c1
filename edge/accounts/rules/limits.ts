import { PRIORITY_STEP } from '../../jobs/rules/queue-priority.ts'
import type { QuotaPolicy } from '../../platform/quotas/rules/lease.ts'
import { DAY_MS } from '../../platform/rules/days.ts'
import type { Settings } from '../../settings/rules/settings.ts'
import type { Tier } from './tier.ts'

/** Limits that a paid plan can override. */
export interface PlanLimits {
  priority: number
  requests_per_minute: number
  requests_per_day: number
  in_flight_max: number
  throttled: boolean
}

/** A caller's limits. Contract: Limits, Request limits; Limits, Queue delay. */
export interface Limits {
  requests_per_minute: number
  requests_per_day: number
  /** Maximum number of jobs open at the same time. */
  in_flight_max: number
  /** Initial priority of the caller's jobs in the fleet queue; lower numbers run first. */
  priority: number
  /** Delay before a job enters the queue. */
  hold_ms: number
}

/** Multiples of PRIORITY_STEP; see edge/jobs/rules/queue-priority.ts. */
const PRIORITIES: Record<Tier, number> = { paid: PRIORITY_STEP, free: 100, anonymous: 200 }

/** Returns the limits of a tier, overridden by those of the plan. */
export function limitsOf(settings: Settings, tier: Tier, plan: PlanLimits | null = null): Limits {
  const held = plan === null ? tier !== 'paid' && settings.free_jobs_held : plan.throttled
  const hold_ms = held ? settings.queue_hold_seconds * 1000 : 0
  if (plan === null) {
    return {
      requests_per_minute: settings[`requests_per_minute_${tier}`],
      requests_per_day: settings[`requests_per_day_${tier}`],
      in_flight_max: settings[`in_flight_max_${tier}`],
      priority: PRIORITIES[tier],
      hold_ms,
    }
  }
  const { requests_per_minute, requests_per_day, in_flight_max, priority } = plan
  return {
    requests_per_minute,
    requests_per_day,
    in_flight_max,
    priority: Math.min(PRIORITY_STEP * Math.max(1, priority), PRIORITIES.free - PRIORITY_STEP),
    hold_ms,
  }
}

/** Maximum number of API keys per account. */
export const KEYS_MAX = 100

const MINUTE_MS = 60 * 1000

/** Returns a caller's request limits. Each request counts against all of them. */
export function requestPolicies({ requests_per_minute, requests_per_day }: Limits): QuotaPolicy[] {
  return [
    { name: 'minute', limit: requests_per_minute, window_ms: MINUTE_MS },
    { name: 'day', limit: requests_per_day, window_ms: DAY_MS },
  ]
}

/** Hard-coded rather than a setting: an administrator who sets a limit too low must be able to raise it again. */
export const ADMINISTRATION_POLICIES: readonly QuotaPolicy[] = [
  { name: 'minute', limit: 600, window_ms: MINUTE_MS, counter: 'administration-minute' },
]

/**
 * Returns the daily limit of an API key, which applies in addition to the account's limits. 0 selects the server
 * default.
 */
export function keyPolicy(settings: Settings, key: { id: number; max_per_day: number }): QuotaPolicy {
  return {
    name: 'key-day',
    limit: key.max_per_day || settings.requests_per_day_key,
    window_ms: DAY_MS,
    counter: `key-day:${key.id}`,
  }
}

/**
 * Limits how many part signatures a client address can request; one file needs about 50. Contract: Uploads, Upload
 * limits.
 */
export function signPartPolicy(limit: number): QuotaPolicy {
  return { name: 'minute', limit, window_ms: MINUTE_MS, counter: 'sign-part' }
}

/**
 * Limits per client address of what every page reads first. They are far above what an office behind one address
 * needs. Prices are read from the database each time, so their limit is lower. Contract: Limits, Request limits.
 */
export const SHARED_READ_POLICY: QuotaPolicy = {
  name: 'minute',
  limit: 6000,
  window_ms: MINUTE_MS,
  counter: 'shared-read',
}
export const PRICING_POLICY: QuotaPolicy = {
  name: 'minute',
  limit: 1200,
  window_ms: MINUTE_MS,
  counter: 'pricing',
}

/**
 * Reports a limit without refusing any requests. Used for health checks and for webhook events from payment
 * providers and messengers: they come from only a few addresses, and callers cannot slow them down.
 */
export const UNENFORCED_POLICY: QuotaPolicy = {
  name: 'unenforced-minute',
  limit: 6000,
  window_ms: MINUTE_MS,
}

/** A quota standing in the format of the RateLimit headers (draft-ietf-httpapi-ratelimit-headers-10). */
export interface ReportedStanding {
  policy: QuotaPolicy
  remaining: number
  reset_seconds: number
}

export function rateLimitHeaders(standings: readonly ReportedStanding[]): Record<string, string> {
  return {
    'RateLimit-Policy': standings
      .map(({ policy: { name, limit, window_ms } }) => `"${name}";q=${limit};w=${window_ms / 1000}`)
      .join(', '),
    RateLimit: standings
      .map(({ policy: { name }, remaining, reset_seconds }) => `"${name}";r=${remaining};t=${reset_seconds}`)
      .join(', '),
  }
}
