import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { countJobs } from './queries.ts'
import { summarizeUsage } from './rules/summary.ts'

const DAYS = 30 as const

/**
 * Summarizes the jobs of the last 30 days with their results and cost. Contract: Caller info, Usage summary.
 */
export async function showUsageSummary(deps: Deps, { account }: SessionCaller) {
  const since = deps.clock.now() - DAYS * DAY_MS
  return { days: DAYS, ...summarizeUsage(await countJobs(deps.db, account.id, since)) }
}
