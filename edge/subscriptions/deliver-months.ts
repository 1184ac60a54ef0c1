import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { listDueAccounts } from './queries.ts'

/** The next run continues with the rest. */
const ACCOUNTS_MAX = 50

/** Delivers due months to accounts that send no requests. */
export async function deliverDueMonths(deps: Deps): Promise<void> {
  const accounts = await listDueAccounts(deps.db, deps.clock.now(), ACCOUNTS_MAX)
  await settleAll(accounts.map((id) => settleAccount(deps, id)))
}
