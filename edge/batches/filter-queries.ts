import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/sqlite-core'
import type { FilteredList, Period } from '../platform/database/filtered-list.ts'
import { batches, jobs } from '../tables.ts'
import type { BatchState } from './rules/states.ts'
import { isInState } from './state-queries.ts'

/** Selects the batches of an account. An empty filter selects all of them. */
export interface BatchFilter extends Period {
  status?: readonly BatchState[] | undefined
  service_slug?: string | undefined
  operation_key?: string | undefined
  tag?: string | undefined
}

/** An index is enough to examine batches by their fields. Each state takes a few searches for the files. */
const SCANNED_MAX = 20_000
const SCANNED_MAX_BY_STATE = 5000

/** Returns the list of an account's batches that match a filter. Contract: Batches, Batch filters. */
export function filterBatches(account_id: number, filter: BatchFilter): FilteredList<typeof batches> {
  const { tag, status, service_slug, operation_key } = filter
  const hasTag = tag === undefined ? undefined : eq(batches.tag, tag)
  return {
    table: batches,
    indexed: and(isOpenOnly(status) ? isOpenBatchOf(account_id) : eq(batches.accountId, account_id), hasTag),
    period: filter,
    matches: (row) =>
      and(
        status && or(...status.map((state) => isInState(row, state))),
        service_slug === undefined ? undefined : eq(row.serviceSlug, service_slug),
        operation_key === undefined ? undefined : eq(row.operationKey, operation_key),
      ),
    fields: [...(status ? [batches.stopped] : []), batches.serviceSlug, batches.operationKey],
    scanned_max: status === undefined ? SCANNED_MAX : SCANNED_MAX_BY_STATE,
  }
}

function isOpenOnly(states: readonly BatchState[] | undefined): boolean {
  return states?.every((state) => state === 'queued' || state === 'processing') ?? false
}

/** Matches the batches of an account's open jobs, whose number is limited. */
function isOpenBatchOf(account_id: number): SQL | undefined {
  const open = new QueryBuilder()
    .select({ id: jobs.batchId })
    .from(jobs)
    .where(
      and(
        eq(jobs.accountId, account_id),
        sql`${jobs.status} IN ('queued', 'processing')`,
        isNotNull(jobs.batchId),
      ),
    )
  // The unary plus keeps SQLite from examining all batches of the account.
  return and(sql`+${batches.accountId} = ${account_id}`, inArray(batches.id, open))
}
