import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { listDueAccounts } from './queries.ts'

/** What is not done in one run is done in the next. */
const ACCOUNTS_MAX = 50

/** Delivers the months that have begun of accounts that nobody uses at the moment. */
export async function deliverDueMonths(deps: Deps): Promise<void> {
  const accounts = await listDueAccounts(deps.db, deps.clock.now(), ACCOUNTS_MAX)
  await settleAll(accounts.map((id) => settleAccount(deps, id)))
}
