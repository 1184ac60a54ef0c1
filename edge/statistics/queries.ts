import { and, count, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { isOwnAccount } from '../accounts/queries.ts'
import type { Database } from '../platform/database/client.ts'
import { accounts, jobs, orders, uploads, webhookDeliveries } from '../tables.ts'
import type { CountedDeliveries } from './rules/usage.ts'

/**
 * Counts jobs that have not ended.
 * @param accountId null counts the jobs of all accounts, as in the functions below.
 */
export async function countOpenJobs(db: Database, accountId: number | null) {
  const rows = await db
    .select({ status: jobs.status, total: count() })
    .from(jobs)
    .where(and(ownedBy(jobs.accountId, accountId), inArray(jobs.status, ['queued', 'processing'])))
    .groupBy(jobs.status)
  const totalOf = (state: 'queued' | 'processing') => rows.find(({ status }) => status === state)?.total ?? 0
  return { queued: totalOf('queued'), processing: totalOf('processing') }
}

/** Counts stored files: uploads, and results of jobs. */
export async function countStored(db: Database, accountId: number | null) {
  const [uploaded, finished] = await db.batch([
    db
      .select({ total: count() })
      .from(uploads)
      .where(and(ownedBy(uploads.accountId, accountId), isNull(uploads.deletedAt))),
    db
      .select({ total: count() })
      .from(jobs)
      .where(and(ownedBy(jobs.accountId, accountId), isNotNull(jobs.result))),
  ])
  return { uploads: uploaded[0]?.total ?? 0, results: finished[0]?.total ?? 0 }
}

export function countDeliveries(db: Database, accountId: number | null): Promise<CountedDeliveries[]> {
  const tried = sql`${webhookDeliveries.attempts} > 0`
  return db
    .select({ status: webhookDeliveries.status, tried: tried.mapWith(Boolean), total: count() })
    .from(webhookDeliveries)
    .where(ownedBy(webhookDeliveries.accountId, accountId))
    .groupBy(webhookDeliveries.status, tried)
}

/** Counts the figures that only administrators see. Delayed jobs are queued jobs that are still being held back. */
export async function countPlatform(db: Database, now: number) {
  const isHeld = sql`${jobs.createdAt} + ${jobs.dispatch} ->> '$.hold_ms' > ${now}`
  const [people, queued, ordered] = await db.batch([
    db.select({ total: count() }).from(accounts).where(isOwnAccount(db)),
    db
      .select({ delayed: sql`sum(${isHeld})`.mapWith(Number) })
      .from(jobs)
      .where(and(eq(jobs.status, 'queued'), inArray(jobs.status, ['queued', 'processing']))),
    db
      .select({ status: orders.status, total: count() })
      .from(orders)
      .where(inArray(orders.status, ['paid', 'waiting']))
      .groupBy(orders.status),
  ])
  const ordersIn = (state: string) => ordered.find(({ status }) => status === state)?.total ?? 0
  return {
    accounts: people[0]?.total ?? 0,
    delayed: queued[0]?.delayed ?? 0,
    orders: { paid: ordersIn('paid'), waiting: ordersIn('waiting') },
  }
}

type AccountColumn = typeof jobs.accountId | typeof uploads.accountId | typeof webhookDeliveries.accountId

function ownedBy(column: AccountColumn, accountId: number | null): SQL | undefined {
  return accountId === null ? undefined : eq(column, accountId)
}
