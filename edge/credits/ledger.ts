import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Span } from '../platform/rules/paging.ts'
import { settleAccount } from './change-credits.ts'
import { type LedgerFilter, listAllocations, readEntriesPage, sumLedger } from './ledger-queries.ts'

/** Lists the account's ledger, newest first, each entry with its grant allocations. */
export async function showLedger(
  deps: Deps,
  { account }: SessionCaller,
  { cursor, limit, offset, ...filter }: LedgerFilter & Span,
) {
  await settleAccount(deps, account.id)
  const page = await readEntriesPage(deps.db, account.id, filter, { cursor, limit, offset })
  const allocations = await listAllocations(
    deps.db,
    account.id,
    page.rows.map(({ sequence }) => sequence),
  )
  const rows = page.rows.map((entry) => ({
    id: entry.id,
    created_at: isoTime(entry.createdAt),
    entry_type: entry.entryType,
    amount: entry.amount,
    balance_after: entry.balanceAfter,
    expires_at: isoTime(entry.expiresAt),
    job_id: entry.jobId,
    order_id: entry.orderId,
    note: entry.note,
    taken_from: allocations
      .filter(({ sequence }) => sequence === entry.sequence)
      .map(({ grant, kind, amount }) => ({ grant, entry_type: kind, amount })),
  }))
  return { rows, next: page.next }
}

/** Verifies the account's own ledger: entries, grants and balance must agree, and the sequence must have no gaps. */
export async function verifyLedger(deps: Deps, { account }: SessionCaller) {
  const { gaps, ...sums } = await sumLedger(deps.db, account.id)
  const ok = gaps === 0 && sums.balance === sums.ledger_sum && sums.balance === sums.grants_sum
  return { ok, ...sums }
}
