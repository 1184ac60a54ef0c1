import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { jobs } from '../tables.ts'
import { HOUR_MS, unpaidSince } from './rules/unpaid-work.ts'

/** Unpaid work counts per account, or per address and per block for anonymous callers. */
type Payer = { accountId: number } | { anonymousKey: string } | { anonymousBlock: string }

/** Repeats the exact conditions of the partial indexes, because SQLite uses an index only if they match. */
const IS_UNPAID = sql`status IN ('failed', 'canceled') AND processing_ms > 0`
const IS_ANONYMOUS = sql`anonymous_key IS NOT NULL`
const HAS_BLOCK = sql`anonymous_block IS NOT NULL`

function isOf(payer: Payer): SQL | undefined {
  if ('accountId' in payer) return eq(jobs.accountId, payer.accountId)
  if ('anonymousKey' in payer) return and(IS_ANONYMOUS, eq(jobs.anonymousKey, payer.anonymousKey))
  return and(HAS_BLOCK, eq(jobs.anonymousBlock, payer.anonymousBlock))
}

/** Selects the unpaid processing time of the last 24 hours, grouped by hour. */
export function unpaidWorkQuery(db: Database, payer: Payer, now: number) {
  const hour = sql<number>`${jobs.finishedAt} / ${sql.raw(String(HOUR_MS))}`.mapWith(Number)
  const processing_ms = sql<number>`sum(${jobs.processingMs})`.mapWith(Number)
  return db
    .select({ hour: hour.as('hour'), processing_ms: processing_ms.as('processing_ms') })
    .from(jobs)
    .where(and(isOf(payer), IS_UNPAID, gt(jobs.finishedAt, unpaidSince(now))))
    .groupBy(hour)
}
