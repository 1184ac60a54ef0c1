import { and, desc, eq, inArray, sql, sum } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { allocations, grants, ledger } from '../tables.ts'
import type { EntryType } from './rules/ledger.ts'

export interface LedgerPage {
  limit: number
  offset: number
  entry_type?: EntryType | undefined
}

export function listEntries(db: Database, accountId: number, { limit, offset, entry_type }: LedgerPage) {
  return db
    .select()
    .from(ledger)
    .where(and(eq(ledger.accountId, accountId), entry_type && eq(ledger.entryType, entry_type)))
    .orderBy(desc(ledger.sequence))
    .limit(limit)
    .offset(offset)
}

/** Selects the grant allocations of ledger entries by the entries' sequence numbers. */
export function listAllocations(db: Database, accountId: number, sequences: number[]) {
  return db
    .select({
      sequence: allocations.sequence,
      grant: allocations.grantSequence,
      kind: grants.kind,
      amount: allocations.amount,
    })
    .from(allocations)
    .innerJoin(
      grants,
      and(eq(grants.accountId, allocations.accountId), eq(grants.sequence, allocations.grantSequence)),
    )
    .where(and(eq(allocations.accountId, accountId), inArray(allocations.sequence, sequences)))
}

/** Sums the entire ledger and the current grants. */
export async function sumLedger(db: Database, accountId: number) {
  const [entries, left, last] = await db.batch([
    db
      .select({ total: sum(ledger.amount) })
      .from(ledger)
      .where(eq(ledger.accountId, accountId)),
    db
      .select({ total: sum(grants.left) })
      .from(grants)
      .where(eq(grants.accountId, accountId)),
    db
      .select({ balance: ledger.balanceAfter, gaps: sql<number>`${ledger.sequence} - count(*) OVER ()` })
      .from(ledger)
      .where(eq(ledger.accountId, accountId))
      .orderBy(desc(ledger.sequence))
      .limit(1),
  ])
  return {
    balance: last[0]?.balance ?? 0,
    gaps: last[0]?.gaps ?? 0,
    ledger_sum: Number(entries[0]?.total ?? 0),
    grants_sum: Number(left[0]?.total ?? 0),
  }
}
