import { and, eq } from 'drizzle-orm'
import type { FilteredList, Period } from '../platform/database/filtered-list.ts'
import { batches } from '../tables.ts'

/** Selects the batches of an account. An empty filter selects all of them. */
export interface BatchFilter extends Period {
  service_slug?: string | undefined
  operation_key?: string | undefined
  tag?: string | undefined
}

/** Returns the list of an account's batches that match a filter. Contract: Batches, Batch filters. */
export function filterBatches(account_id: number, filter: BatchFilter): FilteredList<typeof batches> {
  const { tag, service_slug, operation_key } = filter
  return {
    table: batches,
    indexed: and(eq(batches.accountId, account_id), tag === undefined ? undefined : eq(batches.tag, tag)),
    period: filter,
    matches: (row) =>
      and(
        service_slug === undefined ? undefined : eq(row.serviceSlug, service_slug),
        operation_key === undefined ? undefined : eq(row.operationKey, operation_key),
      ),
    fields: [batches.serviceSlug, batches.operationKey],
    scanned_max: 20_000,
  }
}
