import type { Deps } from '../../deps.ts'
import { balanceParts } from '../../rules/balance.ts'
import type { AccountCaller } from '../../rules/caller.ts'
import { countUsedToday } from '../tokens/used-today.ts'
import { isoTime } from '../views.ts'
import { settleAccount } from './settle.ts'
import { recallStanding, rememberStanding, type Standing } from './standing-memory.ts'

/** Specification: Balance. */
export async function showBalance(deps: Deps, { account }: AccountCaller) {
  const { expires_at, ...parts } = balanceParts(await settleAccount(deps, account.id))
  return { ...parts, expires_at: isoTime(expires_at) }
}

/** GET /me/ping: proves the credential and tells the balance; spends nothing. At most a second old. */
export async function ping(deps: Deps, caller: AccountCaller) {
  const { account } = caller
  const { balance, used_today } = recallStanding(deps, account.id) ?? (await readStanding(deps, account.id))
  return {
    ok: true as const,
    auth: caller.kind,
    account_id: account.id,
    email: account.email,
    balance,
    key: caller.kind === 'key' ? { ...caller.key, used_today: used_today.get(caller.key.id) ?? 0 } : null,
  }
}

async function readStanding(deps: Deps, accountId: number): Promise<Standing> {
  const [{ balance }, used_today] = await Promise.all([
    settleAccount(deps, accountId),
    countUsedToday(deps, accountId),
  ])
  rememberStanding(deps, accountId, { balance, used_today })
  return { balance, used_today }
}
