import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { grantAllocationsQuery } from '../credits/grant-allocation-query.ts'
import type { Database } from '../platform/database/client.ts'
import { jobs, ledger } from '../tables.ts'

export type OpenJobs = Awaited<ReturnType<typeof listOpenJobs>>

/** Lists the oldest open jobs of an account, with the grant allocations for their charges. */
export async function listOpenJobs(
  db: Database,
  accountId: number,
  { created_until, limit }: { created_until: number; limit: number },
) {
  const isOpen = and(
    eq(jobs.accountId, accountId),
    inArray(jobs.status, ['queued', 'processing']),
    lte(jobs.createdAt, created_until),
  )
  const order = [asc(jobs.createdAt), asc(jobs.id)] as const
  const ids = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(isOpen)
    .orderBy(...order)
    .limit(limit)
  const [open, allocations] = await db.batch([
    db
      .select()
      .from(jobs)
      .where(isOpen)
      .orderBy(...order)
      .limit(limit),
    grantAllocationsQuery(
      db,
      and(
        eq(ledger.accountId, accountId),
        inArray(ledger.jobId, ids),
        inArray(ledger.entryType, ['debit', 'refund']),
      ),
    ),
  ])
  return { jobs: open, allocations }
}
