import type { Context } from 'hono'
import { tooMany } from '../accounts/throttle.ts'
import { reportUnforeseen } from '../log.ts'
import { addressSubject } from '../platform/http/subjects.ts'
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
  const policy: QuotaPolicy = { name: 'minute', limit, window_ms: 60_000, counter: 'misses' }
  const subject = addressSubject(context.req.raw.headers)
  const isUsedUp = (quotas.recallUsed(subject, policy, now) ?? 0) >= limit
  const found = isUsedUp && !(await mayExist()) ? null : await find()
  if (found !== null) return found
  const [standing] = await quotas.use(subject, [policy], now).catch((error) => {
    reportUnforeseen(error, { request_id: context.get('requestId') })
    return []
  })
  if (standing?.allowed === false) throw tooMany('misses', standing.reset_seconds)
  return null
}
