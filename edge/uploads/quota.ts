import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { loadSettings } from '../settings/queries.ts'

/**
 * Counts an anonymous caller's upload against the limit of the client address. Throws 429. Contract: Uploads,
 * Upload limits.
 * @param subject counter name for the client address.
 */
export async function countUpload(deps: Deps, caller: Caller, subject: string): Promise<void> {
  if (caller.account !== null) return
  const now = deps.clock.now()
  const { uploads_per_day_anonymous: limit } = await loadSettings(deps.db, now)
  const policy = { name: 'uploads-day', limit, window_ms: DAY_MS }
  const [standing] = await deps.quotas.useExactly(subject, [policy], now)
  if (standing === undefined || standing.allowed) return
  throw new ApiError('too_many_uploads', { limit, retry_after_seconds: standing.reset_seconds })
}
