import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { widenPolicy } from '../platform/http/rules/client-address.ts'
import { blockSubject } from '../platform/http/subjects.ts'
import type { QuotaPolicy } from '../platform/quotas/rules/lease.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { loadSettings } from '../settings/queries.ts'

/**
 * Counts an anonymous caller's upload against the limit of the client address. Throws 429. Contract: Uploads,
 * Upload limits; Limits, Networks.
 * @param subject counter name for the client address.
 */
export async function countUpload(deps: Deps, caller: Caller, subject: string): Promise<void> {
  if (caller.account !== null) return
  const now = deps.clock.now()
  const { uploads_per_day_anonymous: limit } = await loadSettings(deps.db, now)
  const policy = { name: 'uploads-day', limit, window_ms: DAY_MS }
  await countAt(deps, subject, policy, now)
  const block = blockSubject(subject)
  if (block !== null) await countAt(deps, block, widenPolicy(policy), now)
}

async function countAt({ quotas }: Deps, subject: string, policy: QuotaPolicy, now: number): Promise<void> {
  const [standing] = await quotas.useExactly(subject, [policy], now)
  if (standing === undefined || standing.allowed) return
  const { limit } = policy
  throw new ApiError('too_many_uploads', { limit, retry_after_seconds: standing.reset_seconds })
}
