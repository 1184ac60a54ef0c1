import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'

/** Tables of history, and the condition besides age for deleting a row. */
const CONDITIONS = {
  request_logs: '',
  web_events: '',
  feedback: '',
  // Only rows that the daily totals already include.
  usage_events: `AND id <= (SELECT coalesce(max(through), 0) FROM rollups WHERE name = 'usage')`,
  job_moves: '',
  webhook_deliveries: `AND status <> 'pending'`,
} as const

export type PrunedTable = keyof typeof CONDITIONS

/**
 * Deletes some of the oldest rows of a table that are older than a time. Ids ascend with time, so that no
 * index on time is needed.
 * @returns the number of deleted rows.
 */
export async function pruneOldest(
  db: Database,
  table: PrunedTable,
  before: number,
  limit: number,
): Promise<number> {
  const name = sql.raw(table)
  const { rowsAffected } = await db.run(sql`
    DELETE FROM ${name}
    WHERE rowid IN (SELECT rowid FROM ${name} ORDER BY rowid LIMIT ${limit})
      AND created_at < ${before} ${sql.raw(CONDITIONS[table])}`)
  return rowsAffected
}
