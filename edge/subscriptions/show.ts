import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isRecurringHeld } from '../payments/open-providers.ts'
import { loadSettings } from '../settings/queries.ts'
import { isRunning } from './rules/terms.ts'
import { heldMonthsQuery, runningTermQuery, toTermMonth } from './term-queries.ts'
import { termOf } from './transition.ts'
import { viewSubscription } from './view.ts'

/** Returns the account's open term, or null. Contract: Subscriptions, Term record. */
export async function showSubscription(deps: Deps, { account }: SessionCaller) {
  const now = deps.clock.now()
  const settings = await loadSettings(deps.db, now)
  const [[held], months] = await deps.db.batch([
    runningTermQuery(deps.db, account.id),
    heldMonthsQuery(deps.db, account.id),
  ])
  if (held === undefined || !isRunning(termOf(held.subscription), now)) return null
  return viewSubscription(
    held,
    months.map(({ month }) => toTermMonth(month)),
    isRecurringHeld(deps, settings),
    now,
  )
}
