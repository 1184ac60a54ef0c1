import type { Context, MiddlewareHandler } from 'hono'
import { ANONYMOUS, type Caller, planInForce } from '../accounts/rules/caller.ts'
import {
  ADMINISTRATION_POLICIES,
  keyPolicy,
  limitsOf,
  rateLimitHeaders,
  requestPolicies,
  UNENFORCED_POLICY,
} from '../accounts/rules/limits.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { addHeaders } from '../platform/http/headers.ts'
import { widenPolicy } from '../platform/http/rules/client-address.ts'
import { accountSubject, addressSubject, blockSubject } from '../platform/http/subjects.ts'
import type { QuotaStanding } from '../platform/quotas/quotas.ts'
import type { QuotaPolicy } from '../platform/quotas/rules/lease.ts'
import { loadSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings.ts'
import type { AppEnv } from './context.ts'

/** A limit per client address that replaces the caller's limits on one endpoint. */
export type Guard = (settings: Settings) => QuotaPolicy

/** How an endpoint counts against limits. */
export interface Counting {
  guard?: Guard | undefined
  /** True if only the limit per minute applies. */
  ignoresDailyLimits?: boolean | undefined
}

/**
 * Counts a request against its caller's limits: per account and API key, or per address if the caller is anonymous.
 * Throws 429 with Retry-After. Lets requests through while the counters are unavailable.
 */
export async function throttle(
  context: Context<AppEnv>,
  caller: Caller,
  counting: Counting = {},
): Promise<void> {
  const standings = await noteStandings(context, count(context, caller, counting))
  const refused = standings.filter(({ allowed }) => !allowed)
  const [slowest] = refused.sort((one, other) => other.reset_seconds - one.reset_seconds)
  if (slowest === undefined) return
  const { policy, reset_seconds } = slowest
  const { name, limit } = policy
  throw new ApiError('rate_limited', { name, limit, retry_after_seconds: reset_seconds })
}

async function noteStandings(context: Context<AppEnv>, counting: Promise<QuotaStanding[]>) {
  const standings = await counting.catch((error) => {
    reportUnforeseen(error, { request_id: context.get('requestId') })
    return []
  })
  context.set('standings', standings)
  return standings
}

async function count(context: Context<AppEnv>, caller: Caller, { guard, ignoresDailyLimits }: Counting) {
  const deps: Deps = context.get('deps')
  const now = deps.clock.now()
  const settings = await loadSettings(deps.db, now)
  const applicable = (policies: QuotaPolicy[]) =>
    ignoresDailyLimits ? policies.filter(({ name }) => name === 'minute') : policies
  if (guard !== undefined) {
    return useOfAddress(context, [guard(settings)], now)
  }
  if (caller.kind === 'anonymous') {
    const policies = applicable(requestPolicies(limitsOf(settings, 'anonymous')))
    return useOfAddress(context, policies, now)
  }
  if (caller.kind === 'session' && caller.account.is_admin) {
    return deps.quotas.use(accountSubject(caller.account.id), ADMINISTRATION_POLICIES, now)
  }
  const plan = planInForce(caller.account, now)
  const policies = requestPolicies(limitsOf(settings, plan === null ? 'free' : 'paid', plan?.limits ?? null))
  if (caller.kind === 'key') policies.push(keyPolicy(settings, caller.key))
  return deps.quotas.use(accountSubject(caller.account.id), applicable(policies), now)
}

/** Counts a request per client address. Contract: Limits, Networks. */
async function useOfAddress(context: Context<AppEnv>, policies: QuotaPolicy[], now: number) {
  const { quotas } = context.get('deps')
  const subject = addressSubject(context.req.raw.headers)
  const standings = await quotas.use(subject, policies, now)
  const block = blockSubject(subject)
  if (block === null || standings.some(({ allowed }) => !allowed)) return standings
  const shared = await quotas.use(block, policies.map(widenPolicy), now)
  return shared.some(({ allowed }) => !allowed) ? shared : standings
}

/** Limits requests per client address on endpoints without authentication. */
export function throttleAddress(counting: Counting): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    await throttle(context, ANONYMOUS, counting)
    await next()
  }
}

/** Maximum wait for the counters of unenforced limits, so health checks do not depend on the counters. */
const COUNTING_MS_MAX = 100

/** Response statuses for webhook events that have no valid signature or no known receiver. */
const UNPROVEN: ReadonlySet<number> = new Set([401, 404])

/**
 * Counts requests per client address without refusing any; `hasRoom` in Call reports the result. Requests with an
 * invalid signature also count against the limits of anonymous callers, which are enforced.
 */
export function countOnly(policy: QuotaPolicy): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    await countUnenforced(context, policy)
    await next()
    // Limits guesses at signatures and receivers in the same way as guesses at keys.
    const { error } = context
    if (error instanceof ApiError && UNPROVEN.has(error.status)) await throttle(context, ANONYMOUS)
  }
}

async function countUnenforced(context: Context<AppEnv>, policy: QuotaPolicy): Promise<void> {
  const { quotas, clock } = context.get('deps')
  const late = scheduler.wait(COUNTING_MS_MAX).then(() => [])
  const counted = async () => quotas.use(addressSubject(context.req.raw.headers), [policy], clock.now())
  await noteStandings(context, Promise.race([counted(), late]))
}

/**
 * Adds the rate limit headers to responses, including those sent before authentication. Responses that caches share
 * have none, because the headers describe one client.
 */
export const addLimitHeaders: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next()
  if (context.res.headers.get('cache-control')?.startsWith('public')) return
  if (context.get('standings') === undefined) await countUnenforced(context, UNENFORCED_POLICY)
  const standings = context.get('standings') ?? []
  if (standings.length === 0) return
  addHeaders(context, rateLimitHeaders(standings))
}
