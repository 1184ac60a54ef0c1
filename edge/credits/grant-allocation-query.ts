import { and, asc, eq, type SQL, sum } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { allocations, grants, ledger } from '../tables.ts'

/**
 * Selects, for each job, the current grants that ledger entries took credits from. `allocated` is the amount taken,
 * net of refunds.
 */
export function grantAllocationsQuery(db: Database, entries: SQL | undefined) {
  return db
    .select({
      job_id: ledger.jobId,
      sequence: grants.sequence,
      kind: grants.kind,
      left: grants.left,
      expires_at: grants.expiresAt,
      allocated: sum(allocations.amount).mapWith((total) => -Number(total)),
    })
    .from(ledger)
    .innerJoin(
      allocations,
      and(eq(allocations.accountId, ledger.accountId), eq(allocations.sequence, ledger.sequence)),
    )
    .innerJoin(
      grants,
      and(eq(grants.accountId, allocations.accountId), eq(grants.sequence, allocations.grantSequence)),
    )
    .where(entries)
    .groupBy(ledger.jobId, grants.sequence)
    .orderBy(asc(grants.sequence))
}
