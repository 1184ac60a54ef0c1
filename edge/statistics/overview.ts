import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { countDeliveries, countOpenJobs, countPlatform, countStored } from './queries.ts'
import { addFigures } from './rules/add-figures.ts'
import { countWebhooks, scopeOf, type UsageSums } from './rules/usage.ts'
import { countedDatabases, sumOperations } from './sum-usage.ts'

/**
 * Returns the total jobs and credits, the number of files currently stored, and the number of listed webhook
 * deliveries. Administrators see the figures for the whole platform. Contract: Statistics, Overview.
 */
export async function showOverview(deps: Deps, caller: SessionCaller, { mine }: { mine: boolean }) {
  const scope = scopeOf(caller, mine)
  const accountId = scope.kind === 'own' ? scope.account_id : null
  const databases = countedDatabases(deps, accountId)
  const count = async <Counted extends object>(read: (db: Deps['db']) => Promise<Counted>) =>
    addFigures(await Promise.all(databases.map(read)))
  const [open, sums, storage, deliveries, platform] = await Promise.all([
    count((db) => countOpenJobs(db, accountId)),
    sumOperations(deps, accountId, 0),
    count((db) => countStored(db, accountId)),
    Promise.all(databases.map((db) => countDeliveries(db, accountId))),
    scope.kind === 'platform' ? count((db) => countPlatform(db, deps.clock.now())) : null,
  ])
  const total = (name: keyof UsageSums) => sums.reduce((sum, each) => sum + each[name], 0)
  const own = {
    jobs: { ...open, done: total('done'), failed: total('failed'), canceled: total('canceled') },
    credits: { spent: total('spent'), refunded: total('refunded') },
    storage,
    webhooks: countWebhooks(deliveries.flat()),
  }
  if (platform === null) return own
  const { accounts, delayed, orders } = platform
  const queue = { waiting: Math.max(0, open.queued - delayed), active: open.processing, delayed }
  return { ...own, accounts, queue, orders }
}
