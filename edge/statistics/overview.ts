import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { countDeliveries, countOpenJobs, countPlatform, countStored } from './queries.ts'
import { countWebhooks, scopeOf, type UsageSums } from './rules/usage.ts'
import { sumUsageByOperation } from './usage-queries.ts'

/**
 * Returns the total jobs and credits, the number of files currently stored, and the number of listed webhook
 * deliveries. Administrators see the figures for the whole platform. Contract: Statistics, Overview.
 */
export async function showOverview(deps: Deps, caller: SessionCaller, { mine }: { mine: boolean }) {
  const { db } = deps
  const scope = scopeOf(caller, mine)
  const accountId = scope.kind === 'own' ? scope.account_id : null
  const [open, sums, storage, deliveries, platform] = await Promise.all([
    countOpenJobs(db, accountId),
    sumUsageByOperation(db, accountId, 0),
    countStored(db, accountId),
    countDeliveries(db, accountId),
    scope.kind === 'platform' ? countPlatform(db, deps.clock.now()) : null,
  ])
  const total = (name: keyof UsageSums) => sums.reduce((sum, each) => sum + each[name], 0)
  const own = {
    jobs: { ...open, done: total('done'), failed: total('failed'), canceled: total('canceled') },
    credits: { spent: total('spent'), refunded: total('refunded') },
    storage,
    webhooks: countWebhooks(deliveries),
  }
  if (platform === null) return own
  const { accounts, delayed, orders } = platform
  const queue = { waiting: Math.max(0, open.queued - delayed), active: open.processing, delayed }
  return { ...own, accounts, queue, orders }
}
