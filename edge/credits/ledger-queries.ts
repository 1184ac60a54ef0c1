import { and, desc, eq, inArray, type SQL, sql, sum } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { type FilteredList, readPage } from '../platform/database/filtered-list.ts'
import type { Page, Span } from '../platform/rules/paging.ts'
import { allocations, grants, ledger } from '../tables.ts'
import type { EntryType } from './rules/ledger.ts'

export interface LedgerFilter {
  entry_type?: EntryType | undefined
}

/** Returns the list of an account's ledger entries that match a filter, by their numbers. */
export function filterEntries(accountId: number, { entry_type }: LedgerFilter): FilteredList<typeof ledger> {
  return {
    table: ledger,
    rank: ({ sequence }) => sequence,
    indexed: eq(ledger.accountId, accountId),
    matches: (row) => entry_type && eq(row.entryType, entry_type),
    fields: [ledger.entryType],
    scanned_max: 20_000,
  }
}

/** Selects ledger entries of one account by a query of their ids, newest first. */
export function entriesQuery(db: Database, ids: SQL) {
  return db.select().from(ledger).where(sql`${ledger.id} IN (${ids})`).orderBy(desc(ledger.sequence))
}

/** Reads a page of an account's ledger, newest first. */
export function readEntriesPage(
  db: Database,
  accountId: number,
  filter: LedgerFilter,
  span: Span,
): Promise<Page<typeof ledger.$inferSelect>> {
  return readPage(db, filterEntries(accountId, filter), span, {
    select: (ids) => entriesQuery(db, ids),
    placeOf: ({ id, sequence }) => ({ at: sequence, id: String(id) }),
  })
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
