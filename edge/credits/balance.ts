import type { AccountCaller } from '../accounts/rules/caller.ts'
import { recallUsedToday } from '../api-keys/used-today.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import { balances } from './balance-cache.ts'
import { settleAccount, settleWithFacts } from './change-credits.ts'
import { nextAllowance } from './rules/allowance.ts'
import { balanceParts, balanceSources } from './rules/balance.ts'

/** Returns the settled balance and where it comes from. Contract: Credits, Balance. */
export async function showBalance(deps: Deps, { account }: AccountCaller) {
  const { credits, facts } = await settleWithFacts(deps, account.id)
  const { expires_at, ...parts } = balanceParts(credits)
  const next = nextAllowance(facts)
  return {
    ...parts,
    expires_at: isoTime(expires_at),
    grants: balanceSources(credits).map((source) => ({ ...source, expires_at: isoTime(source.expires_at) })),
    next_allowance: next && { credits: next.credits, lands_at: isoTime(next.lands_at) },
  }
}

/**
 * Handles GET /me/ping: verifies the credential and returns the balance, which is at most one second old. Costs no
 * credits.
 */
export async function ping(deps: Deps, caller: AccountCaller) {
  const { account } = caller
  const balance = await balances.load(deps.db, account.id, deps.clock.now(), () =>
    readBalance(deps, account.id),
  )
  return {
    ok: true as const,
    auth: caller.kind,
    account_id: account.id,
    email: account.email,
    balance,
    key:
      caller.kind === 'key'
        ? { ...caller.key, used_today: await recallUsedToday(deps, account.id, caller.key) }
        : null,
  }
}

async function readBalance(deps: Deps, accountId: number): Promise<number> {
  return (await settleAccount(deps, accountId)).balance
}
