import { countJobs } from '../../db/usage.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { DAY_MS } from '../../rules/days.ts'
import { summarizeUsage } from '../../rules/usage.ts'

const DAYS = 30 as const

/** The jobs of the last 30 days: how they ended and what they cost. Specification: Caller info. */
export async function showUsageSummary(deps: Deps, { account }: SessionCaller) {
  const since = deps.clock.now() - DAYS * DAY_MS
  return { days: DAYS, ...summarizeUsage(await countJobs(deps.db, account.id, since)) }
}
