import { keyPolicy } from '../accounts/rules/limits.ts'
import type { Deps } from '../deps.ts'
import { accountSubject } from '../platform/http/subjects.ts'
import { loadSettings } from '../settings/queries.ts'

type CountedKey = { id: number; max_per_day: number }

/** How many requests each key made on this day, which begins at midnight UTC. */
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

/** As countUsedToday for one key: a request that was counted here already knows it without asking. */
export async function recallUsedToday(deps: Deps, accountId: number, key: CountedKey): Promise<number> {
  const now = deps.clock.now()
  const settings = await loadSettings(deps.db, now)
  const known = deps.quotas.recallUsed(accountSubject(accountId), keyPolicy(settings, key), now)
  if (known !== undefined) return known
  const [used = 0] = await countUsedToday(deps, accountId, [key])
  return used
}
