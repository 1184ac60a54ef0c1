import { and, count, desc, eq, gte, type SQL, sql, sum } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { type FilteredList, readPage } from '../platform/database/filtered-list.ts'
import type { Page, Span } from '../platform/rules/paging.ts'
import { jobs, usageEvents } from '../tables.ts'

export type UsageEvent = typeof usageEvents.$inferSelect
export type UsageSource = UsageEvent['source']
export type UsageAction = UsageEvent['action']

/**
 * Returns statements that record a usage event of an account or an anonymous caller. Add them to the commit of the
 * event's cause.
 */
export function usageStatements(db: Database, event: Omit<UsageEvent, 'id'>): Statement[] {
  return [db.insert(usageEvents).values(event)]
}

export interface UsageFilter {
  source?: UsageSource | undefined
  action?: string | undefined
}

/** Returns the list of an account's usage events that match a filter. */
export function filterUsage(
  accountId: number,
  { source, action }: UsageFilter,
): FilteredList<typeof usageEvents> {
  return {
    table: usageEvents,
    indexed: eq(usageEvents.accountId, accountId),
    matches: (row) =>
      and(
        source && eq(row.source, source),
        action === undefined ? undefined : sql`${row.action} = ${action}`,
      ),
    fields: [usageEvents.source, usageEvents.action],
    scanned_max: 20_000,
  }
}

/** Selects usage events by a query of their ids, newest first. */
export function usageQuery(db: Database, ids: SQL) {
  return db
    .select()
    .from(usageEvents)
    .where(sql`${usageEvents.id} IN (${ids})`)
    .orderBy(desc(usageEvents.createdAt), desc(usageEvents.id))
}

/** Reads a page of an account's usage events, newest first. */
export function readUsagePage(
  db: Database,
  accountId: number,
  filter: UsageFilter,
  span: Span,
): Promise<Page<UsageEvent>> {
  return readPage(db, filterUsage(accountId, filter), span, {
    select: (ids) => usageQuery(db, ids),
    placeOf: ({ id, createdAt }) => ({ at: createdAt, id: String(id) }),
  })
}

/** Counts an account's jobs since a given time by operation and state, with their current cost. */
export function countJobs(db: Database, accountId: number, since: number) {
  return db
    .select({
      service_slug: jobs.serviceSlug,
      operation_key: jobs.operationKey,
      status: jobs.status,
      total: count(),
      credits: sum(sql`coalesce(${jobs.finalCost}, ${jobs.estimatedCost})`).mapWith(Number),
    })
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), gte(jobs.createdAt, since)))
    .groupBy(jobs.serviceSlug, jobs.operationKey, jobs.status)
    .orderBy(jobs.serviceSlug, jobs.operationKey)
}
