import { and, count, desc, eq, gte, sql, sum } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
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

export interface UsagePage {
  limit: number
  offset: number
  source?: UsageSource | undefined
  action?: string | undefined
}

export function listUsage(db: Database, accountId: number, { limit, offset, source, action }: UsagePage) {
  return db
    .select()
    .from(usageEvents)
    .where(
      and(
        eq(usageEvents.accountId, accountId),
        source && eq(usageEvents.source, source),
        action === undefined ? undefined : sql`${usageEvents.action} = ${action}`,
      ),
    )
    .orderBy(desc(usageEvents.createdAt), desc(usageEvents.id))
    .limit(limit)
    .offset(offset)
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
