import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { averageSeconds, firstDay, pointsOf, scopeOf, type UsageSums } from './rules/usage.ts'
import { countActive, sumDays, sumOperations } from './sum-usage.ts'

/** A number of days that ends today. Administrators get the platform's figures by default. */
interface Window {
  days: number
  mine: boolean
}

/** Returns one point for each day of the window. Contract: Statistics, Usage figures. */
export async function showUsagePoints(deps: Deps, caller: SessionCaller, window: Window) {
  const { now, first, accountId } = read(deps, caller, window)
  return pointsOf(await sumDays(deps, accountId, first), now, window.days)
}

/** Lists the operations that were used, most used first. Contract: Statistics, Usage figures. */
export async function showUsageByService(deps: Deps, caller: SessionCaller, window: Window) {
  const { first, accountId } = read(deps, caller, window)
  return (await sumOperations(deps, accountId, first)).map((sums) => ({
    service_slug: sums.service_slug,
    operation_key: sums.operation_key,
    submissions: sums.submissions,
    credits: sums.spent - sums.refunded,
    done: sums.done,
    failed: sums.failed,
    avg_processing_seconds: averageSeconds(sums),
  }))
}

/** Returns the totals of the window. Contract: Statistics, Usage figures. */
export async function showUsageTotals(deps: Deps, caller: SessionCaller, window: Window) {
  const { first, accountId } = read(deps, caller, window)
  const sums = await sumDays(deps, accountId, first)
  const total = (name: keyof UsageSums) => sums.reduce((sum, each) => sum + each[name], 0)
  const active = accountId === null ? await countActive(deps, first) : Math.min(1, sums.length)
  return {
    days: window.days,
    scope: accountId === null ? ('platform' as const) : ('own' as const),
    submissions: total('submissions'),
    credits: total('spent') - total('refunded'),
    done: total('done'),
    failed: total('failed'),
    canceled: total('canceled'),
    active_users: active,
  }
}

function read({ clock }: Deps, caller: SessionCaller, { days, mine }: Window) {
  const scope = scopeOf(caller, mine)
  const now = clock.now()
  return { now, first: firstDay(now, days), accountId: scope.kind === 'own' ? scope.account_id : null }
}
