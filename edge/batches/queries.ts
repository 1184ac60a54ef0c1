import { and, asc, desc, eq, exists, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { grantAllocationsQuery } from '../credits/grant-allocation-query.ts'
import type { Clock } from '../deps.ts'
import type { Archived } from '../platform/database/archive.ts'
import { readArchivedPage } from '../platform/database/archived-list.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import type { Page, Place, Span } from '../platform/rules/paging.ts'
import { batches, jobs, ledger } from '../tables.ts'
import { subscribersQuery } from '../webhooks/endpoint-queries.ts'
import { type BatchFilter, filterBatches } from './filter-queries.ts'
import type { BatchSize, BatchStop } from './rules/states.ts'

export type StoredBatch = typeof batches.$inferSelect

export function insertBatchStatement(db: Database, batch: StoredBatch): Statement {
  return db.insert(batches).values(batch)
}

export function batchQuery(db: Database, id: string) {
  return db.select().from(batches).where(eq(batches.id, id))
}

/** Reads the sizes of a page of an account's batches, newest first. */
export function readBatchSizes(
  databases: Archived & { clock: Clock },
  accountId: number,
  filter: BatchFilter,
  span: Span,
): Promise<Page<BatchSize & { id: string; createdAt: number }>> {
  const paramsBytes = sql<number>`octet_length(${batches.params}) + octet_length(${batches.metadata})`
  const select = (db: Database, ids: SQL) =>
    db
      .select({
        id: batches.id,
        createdAt: batches.createdAt,
        total: batches.total,
        params_bytes: paramsBytes.mapWith(Number),
      })
      .from(batches)
      .where(sql`${batches.id} IN (${ids})`)
      .orderBy(desc(batches.createdAt), desc(batches.id))
  return readArchivedPage(databases, filterBatches(accountId, filter), span, { select, placeOf })
}

/** Returns the position of a batch in a list. */
export function placeOf({ id, createdAt }: Pick<StoredBatch, 'id' | 'createdAt'>): Place {
  return { at: createdAt, id }
}

/** Selects batches by id, newest first. */
export function listBatchesQuery(db: Database, ids: string[]) {
  return db
    .select()
    .from(batches)
    .where(inArray(batches.id, ids))
    .orderBy(desc(batches.createdAt), desc(batches.id))
}

const isOpen = inArray(jobs.status, ['queued', 'processing'])

/** Lists the given batches that still have open files. */
export function listOpenBatches(db: Database, ids: string[]) {
  const open = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.batchId, batches.id), isOpen))
  return db
    .select({ id: batches.id })
    .from(batches)
    .where(and(inArray(batches.id, ids), exists(open)))
}

/** Selects the open files of a batch: neither done, failed nor canceled. */
export function openBatchJobsQuery(db: Database, id: string) {
  return db
    .select()
    .from(jobs)
    .where(and(eq(jobs.batchId, id), isOpen))
    .orderBy(asc(jobs.batchPosition))
}

/** Selects the grant allocations for the charges of the open files. */
export function openJobAllocationsQuery(db: Database, id: string) {
  const open = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.batchId, id), isOpen))
  return grantAllocationsQuery(
    db,
    and(inArray(ledger.jobId, open), inArray(ledger.entryType, ['debit', 'refund'])),
  )
}

/** Selects the webhook endpoints of the batch's account. */
export function batchSubscribersQuery(db: Database, id: string) {
  const owner = db.select({ accountId: batches.accountId }).from(batches).where(eq(batches.id, id))
  return subscribersQuery(db, owner)
}

/** Marks a batch as stopped. If two stops run concurrently, the second finds no open files. */
export function stopBatchStatement(
  db: Database,
  id: string,
  stop: { stopped: BatchStop; error: string | null },
): Statement {
  return db
    .update(batches)
    .set(stop)
    .where(and(eq(batches.id, id), isNull(batches.stopped)))
}
