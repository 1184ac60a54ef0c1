import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import type { UsageSums } from './rules/usage.ts'

/** The account id under which the platform's totals are stored. */
const EVERYBODY = 0

const COUNTED = [
  'submissions',
  'done',
  'failed',
  'canceled',
  'spent',
  'refunded',
  'processing_ms',
  'measured',
]
const COLUMNS = sql.raw(COUNTED.join(', '))
const SUMS = sql.raw(COUNTED.map((column) => `sum(${column}) AS ${column}`).join(', '))
const ADDED = sql.raw(COUNTED.map((column) => `${column} = ${column} + excluded.${column}`).join(', '))
const THROUGH = sql`(SELECT coalesce(max(through), 0) FROM rollups WHERE name = 'usage')`

/** Sums the usage events of jobs. Joins the jobs to get the processing time of finished ones. */
function addUp(account: SQL, where: SQL): SQL {
  return sql`
    SELECT ${account} AS account_id, e.created_at / ${sql.raw(String(DAY_MS))} AS day, e.service_slug,
      e.operation_key, sum(e.action = 'submit') AS submissions, sum(e.action = 'done') AS done,
      sum(e.action = 'failed') AS failed, sum(e.action = 'canceled') AS canceled,
      sum(max(e.credits, 0)) AS spent, sum(max(-e.credits, 0)) AS refunded,
      sum(coalesce(j.processing_ms, 0)) AS processing_ms, sum(j.processing_ms IS NOT NULL) AS measured
    FROM usage_events e LEFT JOIN jobs j ON e.action = 'done' AND j.id = e.job_id
    WHERE e.service_slug IS NOT NULL AND e.operation_key IS NOT NULL AND ${where}
    GROUP BY 1, 2, 3, 4`
}

/**
 * Sums usage.
 * @param accountId null sums the whole platform, including anonymous callers.
 */
function usageSince(accountId: number | null, day: number): SQL {
  const isRecent = sql`e.id > ${THROUGH} AND e.created_at >= ${day * DAY_MS}`
  const whose = accountId === null ? sql`` : sql`AND e.account_id = ${accountId}`
  return sql`(
    SELECT day, service_slug, operation_key, ${COLUMNS} FROM usage_days
      WHERE account_id = ${accountId ?? EVERYBODY} AND day >= ${day}
    UNION ALL
    SELECT day, service_slug, operation_key, ${COLUMNS} FROM (${addUp(sql`0`, sql`${isRecent} ${whose}`)}))`
}

export type DaySums = UsageSums & { day: number }
export type OperationSums = UsageSums & { service_slug: string; operation_key: string }

/**
 * Sums usage for each day with activity.
 * @param day the first day to include.
 */
export function sumUsageByDay(db: Database, accountId: number | null, day: number): Promise<DaySums[]> {
  return db.all(sql`SELECT day, ${SUMS} FROM ${usageSince(accountId, day)} GROUP BY day`)
}

/** Sums usage for each operation, most used first. */
export function sumUsageByOperation(
  db: Database,
  accountId: number | null,
  day: number,
): Promise<OperationSums[]> {
  return db.all(sql`
    SELECT service_slug, operation_key, ${SUMS} FROM ${usageSince(accountId, day)}
    GROUP BY service_slug, operation_key
    ORDER BY sum(submissions) DESC, service_slug, operation_key`)
}

/** Counts the accounts on the platform with job activity since the given day. */
export async function countActiveAccounts(db: Database, day: number): Promise<number> {
  const [found] = await db.all<{ total: number }>(sql`
    SELECT (SELECT count(*) FROM account_activity WHERE last_day >= ${day}) + (
      SELECT count(DISTINCT e.account_id) FROM usage_events e
      WHERE e.id > ${THROUGH} AND e.created_at >= ${day * DAY_MS} AND e.service_slug IS NOT NULL
        AND NOT EXISTS (
          SELECT 1 FROM account_activity a WHERE a.account_id = e.account_id AND a.last_day >= ${day})
    ) AS total`)
  return found?.total ?? 0
}

/**
 * Adds the next usage events to the totals in one commit. The commit does nothing if another run was first. Their ids have
 * gaps where the database began a block of ids.
 * @returns the number of events; 0 if none were left.
 */
export async function rollUpUsage(db: Database, limit: number): Promise<number> {
  const [found] = await db.all<{ from: number; events: number; through: number | null }>(
    sql`SELECT ${THROUGH} AS "from", count(*) AS events, max(id) AS through
      FROM (SELECT id FROM usage_events WHERE id > ${THROUGH} ORDER BY id LIMIT ${limit})`,
  )
  const { from, events, through } = found ?? { from: 0, events: 0, through: null }
  if (through === null) return 0
  await db.batch([
    ...addStatements(db, sql`e.id > ${from} AND e.id <= ${through} AND ${THROUGH} = ${from}`),
    db.run(sql`
      INSERT INTO rollups (name, through) VALUES ('usage', ${through})
      ON CONFLICT (name) DO UPDATE SET through = excluded.through WHERE through = ${from}`),
  ])
  return events
}

/** Returns statements that add all usage events which are not yet in the totals. The commit must mark them as added. */
export function addRestStatements(db: Database) {
  return addStatements(db, sql`e.id > ${THROUGH}`)
}

/** Adds the usage events that match a condition to the totals. */
function addStatements(db: Database, where: SQL) {
  const target = sql`INSERT INTO usage_days (account_id, day, service_slug, operation_key, ${COLUMNS})`
  const conflict = sql`ON CONFLICT (account_id, day, service_slug, operation_key) DO UPDATE SET ${ADDED}`
  return [
    db.run(
      sql`${target} ${addUp(sql`e.account_id`, sql`${where} AND e.account_id IS NOT NULL`)} ${conflict}`,
    ),
    db.run(sql`${target} ${addUp(sql`${sql.raw(String(EVERYBODY))}`, where)} ${conflict}`),
    db.run(sql`
      INSERT INTO account_activity (account_id, last_day)
      SELECT e.account_id, max(e.created_at / ${sql.raw(String(DAY_MS))}) FROM usage_events e
      WHERE ${where} AND e.account_id IS NOT NULL AND e.service_slug IS NOT NULL GROUP BY e.account_id
      ON CONFLICT (account_id) DO UPDATE SET last_day = max(last_day, excluded.last_day)`),
  ] as const
}
