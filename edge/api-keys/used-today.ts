import { keyPolicy } from '../accounts/rules/limits.ts'
import type { Deps } from '../deps.ts'
import { accountSubject } from '../platform/http/subjects.ts'
import { loadSettings } from '../settings/queries.ts'

type CountedKey = { id: number; max_per_day: number }

/** Counts each key's requests on the current UTC day. */
export async function countUsedToday(
  deps: Deps,
  accountId: number,
  keys: readonly CountedKey[],
): Promise<number[]> {
  if (keys.length === 0) return []
  const now = deps.clock.now()
  const settings = await loadSettings(deps.db, now)
  const policies = keys.map((key) => keyPolicy(settings, key))
  return deps.quotas.countUsed(accountSubject(accountId), policies, now)
}

/** Returns the number of requests one key has made today, from the current request's own counter if available. */
export async function recallUsedToday(deps: Deps, accountId: number, key: CountedKey): Promise<number> {
  const now = deps.clock.now()
  const settings = await loadSettings(deps.db, now)
  const known = deps.quotas.recallUsed(accountSubject(accountId), keyPolicy(settings, key), now)
  if (known !== undefined) return known
  const [used = 0] = await countUsedToday(deps, accountId, [key])
  return used
}
