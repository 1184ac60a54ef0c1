import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { FilteredList, Period } from '../platform/database/filtered-list.ts'
import { jobs } from '../tables.ts'
import type { JobState } from './rules/states.ts'

/** Selects jobs. An empty filter selects all of them. */
export interface JobFilter extends Period {
  account_id?: number | undefined
  status?: readonly JobState[] | undefined
  service_slug?: string | undefined
  operation_key?: string | undefined
  tag?: string | undefined
}

/** An index alone is enough to examine the rows of one account. A list of all accounts reads each row. */
const SCANNED_MAX = 20_000
const SCANNED_MAX_OF_ALL = 5000

/**
 * Returns the list of the jobs that match a filter. Only the list of all accounts contains deleted ones.
 * Contract: Jobs, Filters.
 */
export function filterJobs(filter: JobFilter): FilteredList<typeof jobs> {
  const { account_id, tag, status, service_slug, operation_key } = filter
  const isOfAll = account_id === undefined
  const hasTag = (row: typeof jobs) => (tag === undefined ? undefined : eq(row.tag, tag))
  return {
    table: jobs,
    indexed: isOfAll ? undefined : and(eq(jobs.accountId, account_id), hasTag(jobs), isNull(jobs.deletedAt)),
    period: filter,
    matches: (row) =>
      and(
        isOfAll ? hasTag(row) : undefined,
        status && inArray(row.status, [...status]),
        service_slug === undefined ? undefined : eq(row.serviceSlug, service_slug),
        operation_key === undefined ? undefined : eq(row.operationKey, operation_key),
      ),
    fields: [jobs.status, jobs.serviceSlug, jobs.operationKey, ...(isOfAll ? [jobs.tag] : [])],
    scanned_max: isOfAll ? SCANNED_MAX_OF_ALL : SCANNED_MAX,
  }
}
