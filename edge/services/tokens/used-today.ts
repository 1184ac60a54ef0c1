import { countJobsByKey } from '../../db/accounts.ts'
import type { Deps } from '../../deps.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** How many jobs each key of an account submitted on this day, which begins at midnight UTC. */
export function countUsedToday(deps: Deps, accountId: number): Promise<Map<number, number>> {
  const now = deps.clock.now()
  return countJobsByKey(deps.db, accountId, now - (now % DAY_MS))
}
