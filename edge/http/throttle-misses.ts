import type { Context } from 'hono'
import { tooMany } from '../accounts/throttle.ts'
import { reportUnforeseen } from '../log.ts'
import { widenPolicy } from '../platform/http/rules/client-address.ts'
import { addressSubject, blockSubject } from '../platform/http/subjects.ts'
import type { QuotaPolicy } from '../platform/quotas/rules/lease.ts'
import { loadSettings } from '../settings/queries.ts'
import type { AppEnv } from './context.ts'

interface Search<Found> {
  /** Returns null for an unknown secret. */
  find: () => Promise<Found | null>
  /** Finds out without the database whether `find` can succeed. */
  mayExist?: () => Promise<boolean>
}

/**
 * Finds something by a secret in the path. Only unknown secrets count, against a limit per client address. Above it, they
 * no longer cost a query. Lets requests through while the counters are unavailable.
 * @returns null for an unknown secret
 * @throws 429 above the limit
 */
export async function throttleMisses<Found>(
  context: Context<AppEnv>,
  { find, mayExist = async () => false }: Search<Found>,
): Promise<Found | null> {
  const { db, quotas, clock } = context.get('deps')
  const now = clock.now()
  const { misses_per_minute_per_ip: limit } = await loadSettings(db, now)
  const counters = countersOf(context.req.raw.headers, limit)
  const isUsedUp = counters.some(
    ({ subject, policy }) => (quotas.recallUsed(subject, policy, now) ?? 0) >= policy.limit,
  )
  const found = isUsedUp && !(await mayExist()) ? null : await find()
  if (found !== null) return found
  const counting = counters.map(({ subject, policy }) => quotas.use(subject, [policy], now))
  const standings = await Promise.all(counting).catch((error) => {
    reportUnforeseen(error, { request_id: context.get('requestId') })
    return []
  })
  const refused = standings.flat().find(({ allowed }) => !allowed)
  if (refused !== undefined) throw tooMany('misses', refused.reset_seconds)
  return null
}

/** Returns the counters of a client: that of its address, and that of its IPv6 block. */
function countersOf(headers: Headers, limit: number) {
  const policy: QuotaPolicy = { name: 'minute', limit, window_ms: 60_000, counter: 'misses' }
  const subject = addressSubject(headers)
  const block = blockSubject(subject)
  const own = { subject, policy }
  return block === null ? [own] : [own, { subject: block, policy: widenPolicy(policy) }]
}
